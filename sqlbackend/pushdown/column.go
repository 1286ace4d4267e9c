package pushdown

import (
	"github.com/dolthub/go-mysql-server/sql/expression"

	"github.com/sqlfdb/sqlfdb/collation"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/indexes"
)

// Shape says how the values of a column compare in SQL, and with it which
// order classes they are stored in.
type Shape uint8

// The shapes. For ShapeOther, the spans say no more than which documents have a value.
const (
	ShapeOther    Shape = iota
	ShapeNumber         // integers, DOUBLE, DECIMAL: the number class
	ShapeBoolean        // TINYINT(1) over JSON booleans: the boolean class, 0 and 1 in SQL
	ShapeString         // text in Collation: the string class
	ShapeJSON           // any JSON value, compared by JSON's rules
	ShapeDate           // "2006-01-02": the date class
	ShapeDatetime       // "2006-01-02 15:04:05", DATETIME and TIMESTAMP: the datetime class
	ShapeTime           // "[-]15:04:05": the time class
	ShapeEnum           // text in Collation, spelled as in the column's list: the string class
	ShapeYear           // integers: the number class; those below 100 are read as years of the last or this century
	ShapeFloat          // numbers that are read rounded to FLOAT: the number class
	ShapeBytes          // byte strings: the bytes class
)

// Column describes one keypath or one part of the primary key for the analysis.
type Column struct {
	// Keypath is the spelling of Path; both are empty for a primary key part that no document contains.
	Keypath string
	Path    document.Keypath
	// Name is the column's name in messages and EXPLAIN; Keypath if empty.
	Name string
	// Index is the name of the index whose part the keypath is, if it is no column of the statement.
	Index string
	// PrimaryKeyPart is 1 for the first column of the primary key, 2 for the
	// second, and 0 for a keypath. A primary key part is never missing.
	PrimaryKeyPart int
	Shape          Shape
	// Collation is the collation that the strings at the keypath are encoded in.
	Collation *collation.Collation
	// StringLimit is the number of bytes of a sort key that are indexed; 0
	// means all.
	StringLimit int
	// Rounded says that the numbers are read rounded to Scale decimals, or the times to fewer digits, but are indexed
	// as the documents have them.
	Rounded bool
	Scale   int
	// KeepsNull says, for ShapeJSON, that a JSON null is a value, and only a missing value is NULL.
	KeepsNull bool
	// Members are the texts of an ENUM in the order of its list.
	Members []string
	// Integers says that all numbers there are integers, written with digits alone.
	Integers bool
	// Stubbed says that the keypath is too deep for entries of its own. The value above it may be a stub that holds
	// its values.
	Stubbed bool
	// Unordered says, for ShapeOther, why its values have no spans.
	Unordered string
	// Document marks the whole document, `_doc`: only paths into it have
	// spans. The other fields mean nothing then.
	Document bool
}

// Label is the column's name in messages and EXPLAIN.
func (c Column) Label() string {
	if c.Name != "" {
		return c.Name
	}
	return c.Keypath
}

// Resolver describes the fields and JSON paths of a statement's table.
type Resolver interface {
	// Column describes the column that a field reads. It is false, with the
	// reason in words, for fields of other tables and for columns that have no
	// entries to range over.
	Column(field *expression.GetField) (Column, string, bool)
	// Keypath describes the values that a path into the document leads to, as
	// ShapeJSON. It is false, with the reason in words, where the index has no
	// entries for it: below the depth limit, or excluded.
	Keypath(path document.Keypath) (Column, string, bool)
	// Stubs reports whether the objects or arrays at a keypath (ordered.ClassObject or ClassArray) are stubs if they
	// are not empty: their contents have no entries. Arrays that are elements of arrays always are.
	Stubs(path document.Keypath, class byte) bool
	// Holds reports whether any value at a keypath is of a class, according to the counts; true where they are
	// unknown.
	Holds(path document.Keypath, class byte) bool
	// HasTexts reports whether a column of dates has entries that are texts: dates that documents spell in another
	// way.
	HasTexts(c Column) bool
	// Certain reports whether every document is among the given ones at the keypath of a column, according to the
	// counts. It is false where the counts are not exact.
	Certain(c Column, of Among) bool
}

// Among means the documents with one of some values at a keypath.
type Among struct {
	Values indexes.Spans
	// Missing says that documents without the keypath count too.
	Missing bool
}
