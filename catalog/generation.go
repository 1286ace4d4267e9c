package catalog

import "slices"

// A document's entries stand in the encodings that the table had when the
// document was written. The table's generation numbers these states: a document keeps
// the generation that it was written at, and a column keeps its former encodings
// until no document needs them. So it is known of every document which entries it has.

// Encoding is how a column's values stood in documents and in the index before
// its type was changed, or before it was declared.
type Encoding struct {
	FieldVersion int64 `json:",omitempty"`
	// Type is empty where the column was not declared: its documents hold any JSON.
	Type      string
	Class     string `json:",omitempty"`
	Length    int64  `json:",omitempty"`
	Collation string `json:",omitempty"`
	KeepsNull bool   `json:",omitempty"`
	// Absent is the JSON, as the next encoding has it, that documents of this one
	// without a value read as: the default of a column when it was added. Empty is for none.
	Absent string `json:",omitempty"`
	// Below: documents of a generation below it, and of none for which an
	// earlier Encoding holds, are encoded so.
	Below int64
}

// EncodingAt is the column's encoding in documents of a generation.
func (c *Column) EncodingAt(generation int64) Encoding {
	for _, e := range c.Earlier {
		if generation < e.Below {
			return e
		}
	}
	return Encoding{FieldVersion: c.FieldVersion, Type: c.Type, Class: c.Class, Length: c.Length, Collation: c.Collation,
		KeepsNull: c.KeepsNull}
}

// Unsettled reports whether documents may hold values of a former type, or
// values that did not fit the present one.
func (c *Column) Unsettled() bool { return len(c.Earlier) > 0 || c.Misfits }

// Upgrading reports whether documents of earlier generations may have to be
// upgraded.
func (t *Table) Upgrading() bool {
	return slices.ContainsFunc(t.Columns, func(c Column) bool { return len(c.Earlier) > 0 })
}

// Boundaries are the generations at which encodings changed, ascending:
// documents between two of them are encoded alike.
func (t *Table) Boundaries() []int64 {
	var out []int64
	for i := range t.Columns {
		for _, e := range t.Columns[i].Earlier {
			out = append(out, e.Below)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// At is the table with the types and encodings that documents of a generation have. Names,
// places and everything else are as they are now.
func (t *Table) At(generation int64) *Table {
	if !t.Upgrading() {
		return t
	}
	out := t.Clone()
	for i := range out.Columns {
		c := &out.Columns[i]
		e := c.EncodingAt(generation)
		c.FieldVersion, c.Type, c.Class, c.Length, c.Collation = e.FieldVersion, e.Type, e.Class, e.Length, e.Collation
		c.KeepsNull = e.KeepsNull
		c.Earlier = nil
	}
	return out
}

// Retype gives the column in that place the type, class, length and collation of
// next and raises its field version and the table's generation. Documents written
// so far keep the former encoding.
func (t *Table) Retype(place int, next Column) {
	c := &t.Columns[place]
	t.Generation++
	former := c.EncodingAt(t.Generation)
	former.Below = t.Generation
	c.Earlier = append(slices.Clone(c.Earlier), former)
	c.FieldVersion++
	c.Type, c.Class, c.Length, c.Collation, c.KeepsNull = next.Type, next.Class, next.Length, next.Collation,
		next.KeepsNull
}

// Undeclared reports whether the column was not declared when documents of this
// encoding were written.
func (e Encoding) Undeclared() bool { return e.Type == "" }

// FillsBelow is the generation below which documents that have no value of the column
// read as having one; 0 when none do.
func (c *Column) FillsBelow() int64 {
	var below int64
	for _, e := range c.Earlier {
		if e.Absent != "" {
			below = e.Below
		}
	}
	return below
}

// Declare notes that the documents written so far hold the new column in that place as an
// undeclared value, in the collation of that name. Documents without a value read as having
// absent, a JSON text; empty is for none.
func (t *Table) Declare(place int, undeclared, absent string) {
	c := &t.Columns[place]
	next := *c
	c.Type, c.Class, c.Length, c.Collation, c.KeepsNull, c.FieldVersion = "", "", 0, undeclared, false, 0
	t.Retype(place, next)
	c.Earlier[len(c.Earlier)-1].Absent = absent
}

// Settle forgets the former encodings: no document has them any more. misfits reports
// whether some documents hold values of a column that did not fit.
func (t *Table) Settle(misfits func(column string) bool) {
	for i := range t.Columns {
		c := &t.Columns[i]
		if len(c.Earlier) > 0 {
			c.Earlier, c.Misfits = nil, misfits(c.Name)
		}
	}
}
