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

// The shapes. Of ShapeOther columns the spans hold no more than which documents have a value.
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
	ShapeYear           // integers: the number class; those below 100 are read as years of our time
	ShapeFloat          // numbers that are read rounded to FLOAT: the number class
	ShapeBytes          // byte strings: the bytes class
)

// Column is what the analysis must know of one keypath or one part of the
// primary key.
type Column struct {
	// Keypath is the spelling of Path; both are empty for a primary key part
	// that stands in no document.
	Keypath string
	Path    document.Keypath
	// Name is what messages and EXPLAIN call it; Keypath if empty.
	Name string
	// Index is the name of the index that the keypath is a part of, where it is no column of the statement.
	Index string
	// PrimaryKeyPart is 1 for the first column of the primary key, 2 for the
	// second, and 0 for a keypath. A primary key part is never missing.
	PrimaryKeyPart int
	Shape          Shape
	// Collation is the one that the strings at the keypath are encoded in.
	Collation *collation.Collation
	// StringLimit is the number of bytes of a sort key that are indexed; 0
	// means all.
	StringLimit int
	// Rounded: the numbers are read rounded to Scale decimals, or the times to fewer digits, and are indexed as they
	// stand in the documents.
	Rounded bool
	Scale   int
	// KeepsNull: of ShapeJSON, a JSON null is a value, and only what is missing is NULL.
	KeepsNull bool
	// Members are the texts of an ENUM in the order of its list.
	Members []string
	// Integers: all numbers there are written as integers, in digits alone.
	Integers bool
	// Stubbed: the keypath is too deep for entries of its own. What is above it may
	// be a stub that holds its values.
	Stubbed bool
	// Unordered says, of ShapeOther, why its values have no spans.
	Unordered string
	// Document marks the whole document, `_doc`: only paths into it have
	// spans. The other fields mean nothing then.
	Document bool
}

// Label is what messages and EXPLAIN call it.
func (c Column) Label() string {
	if c.Name != "" {
		return c.Name
	}
	return c.Keypath
}

// Resolver says what the fields and JSON paths of a statement's table are.
type Resolver interface {
	// Column describes the column that a field reads. It is false, with the
	// reason in words, for fields of other tables and for columns that have no
	// entries to range over.
	Column(field *expression.GetField) (Column, string, bool)
	// Keypath describes the values that a path into the document leads to, as
	// ShapeJSON. It is false, with the reason in words, where the index has no
	// entries for it: below the depth limit, or excluded.
	Keypath(path document.Keypath) (Column, string, bool)
	// Stubs reports whether the objects or arrays at a keypath
	// (ordered.ClassObject or ClassArray) are stubs if they hold something: what they
	// hold has no entries. Arrays that are elements of arrays always are.
	Stubs(path document.Keypath, class byte) bool
	// Holds reports whether any value at a keypath is of a class, as the counts have it; true where they aren't known.
	Holds(path document.Keypath, class byte) bool
	// HasTexts reports whether values of a column of dates have entries as texts: those that documents spell otherwise.
	HasTexts(c Column) bool
	// Certain reports whether every document is among those at the keypath of a column, as the counts have it; false where
	// they don't hold.
	Certain(c Column, of Among) bool
}

// Among are the documents with one of some values at a keypath.
type Among struct {
	Values indexes.Spans
	// Missing: and those that lack it.
	Missing bool
}
