// Package plan chooses how documents of a collection in a bucket are found, by the cost of requests, and finds them.
//
// It knows neither SQL nor which documents satisfy a condition: the caller filters the documents that are found. They
// may be too many, but not too few.
package plan

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/sqlfdb/sqlfdb/bucket/layout"
	"github.com/sqlfdb/sqlfdb/document"
)

// Range is an interval of values, its ends in it. An end that is nil is open.
type Range struct {
	Low, High *document.Value
}

// Order is an order of rows by one keypath.
type Order struct {
	Path string // as document.Keypath spells it
	Desc bool
}

// Query describes the documents that are looked for. Keypaths are as document.Keypath spells them.
type Query struct {
	// Equal are values of which a keypath must have one; null stands for a missing value too.
	Equal map[string][]document.Value
	// Range are intervals in which keypaths must be, by document.Compare with strings by their bytes.
	Range map[string]Range
	// IDs are the ids of which a document must have one, if HasIDs.
	IDs    []string
	HasIDs bool
	// Prefix begins the id.
	Prefix string
	// Order is the wanted order. Limit is how many documents are wanted that satisfy everything; 0 for all.
	Order *Order
	Limit int
	// Documents is how many documents the collection has; 0 for unknown.
	Documents int
	// OnlyIDs: nothing but the ids is wanted, and there are no conditions but these.
	OnlyIDs bool
}

// Kind is a way to find documents.
type Kind int

const (
	// ByID gets documents by their ids.
	ByID Kind = iota
	// ByEntry reads entries of an index and gets the documents that they name.
	ByEntry
	// ByPrefix lists the ids that begin with a prefix and gets these documents.
	ByPrefix
	// Scan lists all ids and gets all documents.
	Scan
)

// MaxKeys bounds the entries that one path reads.
const MaxKeys = 1000

// UnknownDocuments is the assumed number of documents of a collection if it is not known.
const UnknownDocuments = 10_000

// Path is one way to answer a query.
type Path struct {
	Kind   Kind
	Query  Query
	Index  layout.Index
	Keys   []string // of entries
	Range  Range    // of the last field; of a compound index
	Sorted bool     // the documents come in the order that is wanted
	Covers bool     // no document need be read
	// Skip, if it is not nil, reports whether a document is passed over unread.
	Skip func(id string) bool
	// Entries, Documents and Lists are the expected numbers of requests. Entries and documents are GETs.
	Entries, Documents, Lists int
}

// Lost is a path that was not chosen, and why.
type Lost struct {
	Path Path
	Why  string
}

// Choose returns the path with the lowest price, and the other paths.
func Choose(q Query, indexes []layout.Index, prices Prices) (Path, []Lost) {
	n := q.Documents
	if n == 0 {
		n = UnknownDocuments
	}
	onlyIDs := q.OnlyIDs && q.Order == nil
	paths := []Path{{Kind: Scan, Query: q, Lists: 1 + n/1000, Documents: n, Covers: onlyIDs && len(q.Equal) == 0 &&
		len(q.Range) == 0 && !q.HasIDs}}
	if q.HasIDs {
		paths = append(paths, Path{Kind: ByID, Query: q, Documents: len(q.IDs)})
	}
	if q.Prefix != "" {
		few := n/50 + 1
		paths = append(paths, Path{Kind: ByPrefix, Query: q, Lists: 1 + few/1000, Documents: few,
			Covers: onlyIDs && len(q.Equal) == 0 && len(q.Range) == 0})
	}
	var lost []Lost
	for _, x := range indexes {
		p, why := byEntry(q, x, n)
		if why != "" {
			lost = append(lost, Lost{p, why})
			continue
		}
		paths = append(paths, p)
	}
	for i := range paths {
		if paths[i].Covers {
			paths[i].Documents = 0
		}
	}
	slices.SortStableFunc(paths, func(a, b Path) int {
		if c := cmp.Compare(a.Price(prices), b.Price(prices)); c != 0 {
			return c
		}
		return cmp.Compare(b.fields(), a.fields())
	})
	best := paths[0]
	for _, p := range paths[1:] {
		lost = append(lost, Lost{p, fmt.Sprintf("%s, %s cost %s", p.Requests(), best.Name(), best.Requests())})
	}
	return best, lost
}

func (p Path) fields() int { return len(p.Index.Fields) }

// byEntry is the path by an index; why not, if there is none.
func byEntry(q Query, x layout.Index, n int) (Path, string) {
	p := Path{Kind: ByEntry, Query: q, Index: x}
	keys := [][]string{nil}
	proof := true
	rest := len(q.Equal) + len(q.Range)
	for _, f := range x.Leading() {
		path := f.Path.String()
		values, ok := q.Equal[path]
		if !ok {
			return p, fmt.Sprintf("no value of %s is given", path)
		}
		rest--
		var next [][]string
		seen := map[string]bool{}
		for _, v := range values {
			part := layout.Part(v)
			proof = proof && proves(v)
			if seen[part] {
				continue
			}
			seen[part] = true
			for _, k := range keys {
				next = append(next, append(slices.Clip(k), part))
			}
		}
		if keys = next; len(keys) > MaxKeys {
			return p, fmt.Sprintf("over %d entries", MaxKeys)
		}
	}
	for _, k := range keys {
		key := layout.Key(k)
		proof = proof && key == strings.Join(k, "|")
		p.Keys = append(p.Keys, key)
	}
	slices.Sort(p.Keys)
	p.Keys = slices.Compact(p.Keys)
	p.Entries = len(p.Keys)
	// Each field is assumed to divide the documents by ten, an interval of the last one by three.
	each := max(n, 1)
	for range x.Leading() {
		each = each/10 + 1
	}
	p.Documents = each * len(p.Keys)
	if len(p.Keys) > 1 { // few values are assumed to have more than half of all documents
		p.Documents = min(p.Documents, n/2+1)
	}
	if x.Compound() {
		last := x.Last().Path.String()
		if r, ok := q.Range[last]; ok {
			p.Range = r
			p.Documents = p.Documents/3 + 1 + 8*len(p.Keys) // halving
		} else if v := q.Equal[last]; len(v) == 1 {
			p.Range = Range{&v[0], &v[0]}
			p.Documents = p.Documents/10 + 1 + 8*len(p.Keys)
		}
		p.Sorted = q.Order != nil && q.Order.Path == last && len(p.Keys) == 1
	}
	if q.Limit > 0 && (q.Order == nil || p.Sorted) {
		// Conditions that the index does not answer are assumed to hold for one document in three.
		want := q.Limit
		if rest > 0 && p.Range == (Range{}) {
			want *= 3
		}
		p.Documents = min(p.Documents, want)
	}
	p.Covers = q.OnlyIDs && q.Order == nil && proof && rest == 0 && !q.HasIDs && q.Prefix == ""
	return p, ""
}

// proves reports whether all documents in the entry of v have that very value: no other value has its key.
func proves(v document.Value) bool {
	if v.Type() != document.TypeString {
		return false
	}
	switch s := v.Str(); {
	case s == "null", s == "true", s == "false", s == "[]", s == "{}", s == "Infinity", s == "-Infinity":
		return false
	case s != "" && strings.IndexByte("-0123456789", s[0]) >= 0:
		return false // it may be a number's
	}
	return true
}

// Name describes the path.
func (p Path) Name() string {
	switch p.Kind {
	case ByID:
		return "_id"
	case ByPrefix:
		return "_id prefix"
	case ByEntry:
		return p.Index.Name
	}
	return "scan"
}

// Requests describes the expected requests.
func (p Path) Requests() string {
	var parts []string
	add := func(n int, one, many string) {
		if n == 1 {
			parts = append(parts, "1 "+one)
		} else if n > 1 {
			parts = append(parts, fmt.Sprintf("%d %s", n, many))
		}
	}
	add(p.Lists, "list", "lists")
	add(p.Entries, "entry", "entries")
	add(p.Documents, "document", "documents")
	if parts == nil {
		return "nothing"
	}
	return strings.Join(parts, ", ")
}

// String is the path in one line, as EXPLAIN shows it.
func (p Path) String() string {
	var b strings.Builder
	switch p.Kind {
	case ByID:
		fmt.Fprintf(&b, "documents by _id: %d", len(p.Query.IDs))
	case ByPrefix:
		fmt.Fprintf(&b, "_id begins with %q", p.Query.Prefix)
	case Scan:
		b.WriteString("all documents")
	case ByEntry:
		fmt.Fprintf(&b, "index %s: %s", p.Index.Name, strings.Join(p.Keys[:min(len(p.Keys), 5)], ", "))
		if len(p.Keys) > 5 {
			fmt.Fprintf(&b, ", … (%d)", len(p.Keys))
		}
		if p.Range.Low != nil || p.Range.High != nil {
			fmt.Fprintf(&b, ", %s from %s to %s", p.Index.Last().Path, bound(p.Range.Low), bound(p.Range.High))
		}
		if p.Sorted {
			b.WriteString(", in order")
		}
	}
	if p.Covers {
		b.WriteString(", without documents")
	}
	return b.String()
}

func bound(v *document.Value) string {
	if v == nil {
		return "any"
	}
	return v.Text()
}
