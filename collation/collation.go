// Package collation turns strings into sort keys: bytes that compare as a SQL
// collation compares the strings.
//
// It doesn't know how a sort key is stored (package ordered), nor which
// column has which collation (package catalog). The form of a sort key is described in
// docs/rfcs/0001-bytes-on-disk.md.
//
// The weights are those of golang.org/x/text/collate, the Unicode Collation Algorithm's
// of version 6.2, punctuation not ignored; MySQL 9 has those of version 9.0. Version names them. Of the
// 166,148 neighbours in the Unicode consortium's test data of 6.2, all but 20 are in order: 11 in which
// a mark stands between the parts of a Tibetan, Telugu or Sinhala vowel, 5 of unassigned
// and noncharacters at the end of a block, and 4 signs (U+02D0, U+20A8, U+FDFC, U+10A7F). Of the 194,726 of
// 9.0, 3,200 are not in order; 2,487 of them hold characters newer than 6.2, which sort behind the
// ideographs here. TestUCA runs such a file. In TestDocumentedOrders stand the orders of languages that
// MySQL's manual and CLDR document, with the places where x/text has another.
package collation

import (
	"bytes"
	"strings"
	"sync"

	"golang.org/x/text/collate"
	"golang.org/x/text/language"
)

// KeyFormat is the number of the form of sort keys. It grows when the same
// weights are written as other bytes.
const KeyFormat = 1

// strength is the number of levels of weights that a sort key holds.
type strength uint8

const (
	byBytes   strength = iota // no weights: the string's own bytes
	primary                   // letters (_ai_ci)
	secondary                 // and accents (_as_ci)
	tertiary                  // and case (_as_cs)
)

// Collation is one order of strings. It is safe for concurrent use and has
// one instance per name, so pointers may be compared.
type Collation struct {
	name     string
	locale   string // BCP 47; "" is the root locale
	strength strength
	// fastASCII: no ASCII character changes the weights of one before it (as
	// "ch" is a letter in Czech), so that ASCII strings need no look at x/text.
	fastASCII bool
	// fixedASCII: nor does any other character change the primary weight of
	// an ASCII character before it (as a tilde behind n does in Spanish).
	fixedASCII bool

	once     sync.Once
	ascii    [128]asciiWeight
	encoders sync.Pool // of *encoder: a collate.Collator serves one user at a time
}

// Default is the collation of strings for which none was declared: Unicode's
// root order, sensitive to accents and case.
var Default = mustLookup("utf8mb4_0900_as_cs")

// Binary compares strings as bytes.
var Binary = mustLookup("utf8mb4_0900_bin")

// Lookup finds a collation by MySQL's name for it, in any case.
func Lookup(name string) (*Collation, bool) {
	if c, ok := collations()[name]; ok {
		return c, true
	}
	c, ok := collations()[strings.ToLower(name)]
	return c, ok
}

// Name is MySQL's name of the collation.
func (c *Collation) Name() string { return c.name }

// String is Name.
func (c *Collation) String() string { return c.name }

// IsBinary reports whether strings compare as their bytes, so that the sort
// key of a string is the string itself.
func (c *Collation) IsBinary() bool { return c.strength == byBytes }

// IsIdentity reports whether only identical strings are equal. Where it is
// false (the _ci collations), strings with equal sort keys are equal too.
func (c *Collation) IsIdentity() bool {
	return c.strength == byBytes || c.strength == tertiary
}

// Version is the package's Version, or "bytes" for a binary collation.
func (c *Collation) Version() string {
	if c.strength == byBytes {
		return "bytes"
	}
	return Version()
}

// Compare gives -1, 0 or +1 for the total order of the collation: by sort
// key, then by bytes. It is 0 for identical strings only.
func (c *Collation) Compare(a, b string) int {
	if a == b {
		return 0
	}
	if r := c.CompareKeys(a, b); r != 0 {
		return r
	}
	return strings.Compare(a, b)
}

// CompareKeys gives -1, 0 or +1 for the order of the sort keys alone: the
// comparison of SQL where IsIdentity is false.
func (c *Collation) CompareKeys(a, b string) int {
	if c.strength == byBytes || a == b {
		return strings.Compare(a, b)
	}
	c.once.Do(c.prepare)
	if c.fastASCII {
		if r, ok := c.compareASCII(a, b); ok {
			return r
		}
	}
	e := c.encoder()
	defer c.release(e, len(a)+len(b))
	e.left = e.appendKey(e.left[:0], a)
	e.right = e.appendKey(e.right[:0], b)
	return bytes.Compare(e.left, e.right)
}

// Equal reports whether SQL's = holds: identity where IsIdentity is true,
// equal sort keys elsewhere.
func (c *Collation) Equal(a, b string) bool {
	if a == b {
		return true
	}
	return !c.IsIdentity() && c.CompareKeys(a, b) == 0
}

// prepare fills in the weights of the ASCII characters.
func (c *Collation) prepare() {
	e := c.encoder()
	defer c.release(e, 0)
	for b := range c.ascii {
		c.ascii[b] = e.asciiWeight(byte(b))
	}
}

func (c *Collation) encoder() *encoder {
	if e, ok := c.encoders.Get().(*encoder); ok {
		return e
	}
	tag, err := language.Parse(c.locale)
	if err != nil {
		// The names are constants of this package; the root order is the
		// order of every locale that tailors nothing.
		tag = language.Und
	}
	return &encoder{c: c, collator: collate.New(tag)}
}

// release gives an encoder back, unless a long string has blown up its
// buffers, which x/text never shrinks.
func (c *Collation) release(e *encoder, size int) {
	if size <= 64<<10 {
		c.encoders.Put(e)
	}
}
