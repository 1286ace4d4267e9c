// Package layout defines the names of a collection's documents, indexes and entries in a bucket, and the order of
// entries. It is Sengo's layout; docs/rfcs/0024-collections-in-a-bucket.md decides what that leaves open.
//
// It makes no requests. Names are relative to the bucket's prefix.
package layout

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/sqlfdb/sqlfdb/document"
)

const (
	// MaxName bounds the name of a document's file without ".json", in bytes, for file systems' sake.
	MaxName = 250
	// maxKey bounds an entry's name; longer ones are cut, and end with a hash of the whole.
	maxKey = 200
	// MaxFields bounds the fields of an index.
	MaxFields = 16
	// ID is the member that holds a document's id.
	ID = "_id"
)

// ErrName is wrapped when an id or a name can't be the name of a file.
var ErrName = errors.New("no name of a file")

// ErrDefinition is wrapped when the definition of an index can't be read, or is refused.
var ErrDefinition = errors.New("definition of an index")

// encode is JavaScript's encodeURIComponent.
func encode(s string) string {
	const digits = "0123456789ABCDEF"
	var b strings.Builder
	for i := range len(s) {
		c := s[i]
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("-_.!~*'()",
			c) >= 0 {
			b.WriteByte(c)
		} else {
			b.WriteByte('%')
			b.WriteByte(digits[c>>4])
			b.WriteByte(digits[c&15])
		}
	}
	return b.String()
}

func decode(s string) (string, bool) {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '%' {
			b.WriteByte(s[i])
			continue
		}
		if i+2 >= len(s) {
			return "", false
		}
		c, err := strconv.ParseUint(s[i+1:i+3], 16, 8)
		if err != nil {
			return "", false
		}
		b.WriteByte(byte(c))
		i += 2
	}
	return b.String(), encode(b.String()) == s
}

// Collection is the folder of a collection.
type Collection string

// Name returns the collection of that name. It fails with ErrName.
func Name(name string) (Collection, error) {
	if e := encode(name); name == "" || len(e) > MaxName || strings.HasPrefix(name, ".") {
		return "", fmt.Errorf("%w: %q", ErrName, name)
	}
	return Collection(encode(name)), nil
}

// NameOf is the name of the collection in a folder; false for a folder that no collection has.
func NameOf(folder string) (string, bool) {
	name, ok := decode(folder)
	return name, ok && folder != "" && !strings.HasPrefix(folder, ".")
}

const suffix = ".json"

// Data begins the names of all documents.
func (c Collection) Data() string { return string(c) + "/data/" }

// Document is the name of a document's file.
func (c Collection) Document(id string) string { return c.Data() + encode(id) + suffix }

// CheckID fails with ErrName for an id under which no document is written: an empty one, and one whose file has a name
// over MaxName bytes.
func CheckID(id string) error {
	if n := len(encode(id)); n == 0 || n > MaxName {
		return fmt.Errorf("%w: the _id '%.100s' has %d bytes, not 1 to %d, in a URI's encoding", ErrName, id, n, MaxName)
	}
	return nil
}

// DocumentPrefix begins the names of the documents whose ids begin with prefix.
func (c Collection) DocumentPrefix(prefix string) string { return c.Data() + encode(prefix) }

// DocumentID is the id of the document in a file; false for a name that no id has.
func (c Collection) DocumentID(name string) (id string, ok bool) {
	name, ok = strings.CutPrefix(name, c.Data())
	if ok {
		name, ok = strings.CutSuffix(name, suffix)
	}
	if !ok || name == "" {
		return "", false
	}
	return decode(name)
}

// Indices begins the names of all indexes and entries.
func (c Collection) Indices() string { return string(c) + "/indices/" }

// Definition is the name of the file that holds an index's definition.
func (c Collection) Definition(index string) string { return c.Indices() + encode(index) + suffix }

// DefinitionOf is the name of the index that is defined in a file; false for another file.
func (c Collection) DefinitionOf(name string) (index string, ok bool) {
	name, ok = strings.CutPrefix(name, c.Indices())
	if ok {
		name, ok = strings.CutSuffix(name, suffix)
	}
	if !ok || name == "" || strings.Contains(name, "/") {
		return "", false
	}
	return decode(name)
}

// Entries begins the names of an index's entries.
func (c Collection) Entries(index string) string { return c.Indices() + encode(index) + "/" }

// Entry is the name of the file of an entry by its key.
func (c Collection) Entry(index, key string) string { return c.Entries(index) + key + suffix }

// EntryKey is the key of the entry in a file; false if it is no entry of that index.
func (c Collection) EntryKey(index, name string) (key string, ok bool) {
	name, ok = strings.CutPrefix(name, c.Entries(index))
	if ok {
		name, ok = strings.CutSuffix(name, suffix)
	}
	return name, ok && !strings.Contains(name, "/")
}

// Own begins the names of files that Sengo does not have.
func (c Collection) Own() string { return string(c) + "/sqlfdb/" }

// Writer is the file of the present writer and its work.
func (c Collection) Writer() string { return c.Own() + "writer" + suffix }

// Probe begins the names of the files by which a store is tested before the first write.
func (c Collection) Probe() string { return c.Own() + "probe-" }

// Catalog is the file that lists the indexes.
func (c Collection) Catalog() string { return c.Own() + "catalog" + suffix }

// Field is one field of an index.
type Field struct {
	Path document.Keypath
	Desc bool
}

// Index is the definition of an index.
type Index struct {
	Name    string
	Fields  []Field
	Comment string // for people
}

type jsonIndex struct {
	Name    string    `json:"name"`
	Keys    []jsonKey `json:"keys"`
	Comment string    `json:"comment,omitempty"`
}

type jsonKey struct {
	Field string `json:"field"`
	Order int    `json:"order"`
}

// MarshalJSON gives the definition as Sengo writes it, and behind that the comment, if it has one.
func (x Index) MarshalJSON() ([]byte, error) {
	j := jsonIndex{Name: x.Name, Comment: x.Comment}
	for _, f := range x.Fields {
		k := jsonKey{Field: f.Path.String(), Order: 1}
		if f.Desc {
			k.Order = -1
		}
		j.Keys = append(j.Keys, k)
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(j)
	return bytes.TrimSpace(b.Bytes()), err
}

// UnmarshalJSON reads a definition. It fails with ErrDefinition.
func (x *Index) UnmarshalJSON(text []byte) error {
	var j jsonIndex
	if err := json.Unmarshal(text, &j); err != nil {
		return fmt.Errorf("%w: %w", ErrDefinition, err)
	}
	x.Name, x.Fields, x.Comment = j.Name, nil, j.Comment
	for _, k := range j.Keys {
		if k.Order != 1 && k.Order != -1 {
			return fmt.Errorf("%w %s: the order of %s is %d, neither 1 nor -1", ErrDefinition, j.Name, k.Field, k.Order)
		}
		p, err := document.ParseKeypath(k.Field)
		if err != nil {
			return fmt.Errorf("%w %s: %w", ErrDefinition, j.Name, err)
		}
		x.Fields = append(x.Fields, Field{Path: p, Desc: k.Order < 0})
	}
	return x.Check()
}

// Check fails with ErrDefinition if there can be no such index.
func (x Index) Check() error {
	if x.Name == "" || len(encode(x.Name)) > MaxName || strings.HasPrefix(x.Name, ".") {
		return fmt.Errorf("%w: %q is no name of an index", ErrDefinition, x.Name)
	}
	if len(x.Fields) == 0 || len(x.Fields) > MaxFields {
		return fmt.Errorf("%w %s: it has %d fields, not 1 to %d", ErrDefinition, x.Name, len(x.Fields), MaxFields)
	}
	seen := map[string]bool{}
	for _, f := range x.Fields {
		name := f.Path.String()
		if f.Path.HasArray() || seen[name] || name == ID {
			return fmt.Errorf("%w %s: %s can't be a field: it is within an array, twice there, or the id",
				ErrDefinition, x.Name, name)
		}
		seen[name] = true
	}
	return nil
}

// Equal reports whether both have the same fields in the same order.
func (x Index) Equal(y Index) bool {
	if len(x.Fields) != len(y.Fields) {
		return false
	}
	for i, f := range x.Fields {
		if f.Desc != y.Fields[i].Desc || !f.Path.Equal(y.Fields[i].Path) {
			return false
		}
	}
	return true
}

// Compound reports whether the last field orders the ids of an entry, rather than being its key.
func (x Index) Compound() bool { return len(x.Fields) > 1 }

// Leading are the fields whose values are an entry's key.
func (x Index) Leading() []Field {
	if x.Compound() {
		return x.Fields[:len(x.Fields)-1]
	}
	return x.Fields
}

// Last is the field that orders the ids of an entry; of a compound index.
func (x Index) Last() Field { return x.Fields[len(x.Fields)-1] }

// Place is where a document stands in an index: the key of its entry, and the value that orders it there.
func (x Index) Place(d document.Document) (key string, last document.Value) {
	parts := make([]string, 0, len(x.Fields))
	for _, f := range x.Leading() {
		parts = append(parts, Part(valueAt(d, f.Path)))
	}
	if x.Compound() {
		last = valueAt(d, x.Last().Path)
	}
	return Key(parts), last
}

// valueAt is the value at a keypath; a missing one is a null.
func valueAt(d document.Document, p document.Keypath) document.Value {
	if v, ok := d.Lookup(p); ok {
		return v
	}
	return document.NullValue()
}

// Compare orders two values of the last field as the index does.
func (x Index) Compare(a, b document.Value) int {
	c := document.Compare(a, b, nil)
	if x.Last().Desc {
		return -c
	}
	return c
}

// Part is a value's part of a key: the text that JavaScript's String gives, in a URI's encoding. Values that SQL
// holds equal have one part; values that differ may share one.
func Part(v document.Value) string {
	switch v.Type() {
	case document.TypeString:
		return encode(v.Str())
	case document.TypeNumber:
		return encode(number(v.Number()))
	case document.TypeBool:
		return strconv.FormatBool(v.Bool())
	case document.TypeArray:
		return "%5B%5D"
	case document.TypeObject:
		return "%7B%7D"
	}
	return "null"
}

// number is a JSON number as JavaScript writes it: the shortest digits of the nearest double.
func number(literal string) string {
	f, err := strconv.ParseFloat(literal, 64)
	switch {
	case err != nil && math.IsInf(f, 1):
		return "Infinity"
	case err != nil && math.IsInf(f, -1):
		return "-Infinity"
	case f == 0:
		return "0"
	}
	if a := math.Abs(f); a >= 1e-6 && a < 1e21 {
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	text := strconv.FormatFloat(f, 'e', -1, 64)
	mantissa, exponent, _ := strings.Cut(text, "e")
	return mantissa + "e" + exponent[:1] + strings.TrimLeft(exponent[1:], "0")
}

// Key joins the parts of an entry's key. One that is too long for a file's name is cut, and ends with a hash.
func Key(parts []string) string {
	key := strings.Join(parts, "|")
	if len(key) <= maxKey {
		return key
	}
	sum := sha256.Sum256([]byte(key))
	cut := key[:maxKey-17]
	if i := strings.LastIndexByte(cut, '%'); i > len(cut)-3 {
		cut = cut[:i]
	}
	return cut + "~" + hex.EncodeToString(sum[:8])
}

// ParseEntry reads the ids of an entry.
func ParseEntry(text []byte) ([]string, error) {
	var ids []string
	if err := json.Unmarshal(text, &ids); err != nil {
		return nil, fmt.Errorf("an entry is an array of strings: %w", err)
	}
	return ids, nil
}

// FormatEntry writes the ids of an entry.
func FormatEntry(ids []string) []byte {
	var b bytes.Buffer
	b.WriteByte('[')
	for i, id := range ids {
		if i > 0 {
			b.WriteString(", ")
		}
		q, err := document.AppendQuoted(nil, id)
		if err != nil { // ids were read from JSON or from valid UTF-8
			q, _ = json.Marshal(id)
		}
		b.Write(q)
	}
	b.WriteString("]\n")
	return b.Bytes()
}

// ByName orders indexes.
func ByName(a, b Index) int { return cmp.Compare(a.Name, b.Name) }
