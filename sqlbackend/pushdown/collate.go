package pushdown

import (
	"fmt"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"

	"github.com/sqlfdb/sqlfdb/collation"
)

// Collated is implemented by types of strings that compare in one of our
// collations.
type Collated interface {
	PushdownCollation() *collation.Collation
}

// collationOf returns the collation that a comparison of some operands uses: the one that the statement names, or the
// one that their types agree on. It is nil if neither exists: then the column's collation applies. It returns false
// if they disagree.
func collationOf(operands ...sql.Expression) (*collation.Collation, bool) {
	var named, typed *collation.Collation
	agreed, agreedNames := true, true
	for _, o := range operands {
		for {
			if c, ok := o.Type().(Collated); ok {
				agreed = agreed && (typed == nil || typed == c.PushdownCollation())
				typed = c.PushdownCollation()
				break
			}
			if c, ok := o.(*expression.CollatedExpression); ok {
				id, _ := c.CollationCoercibility(nil)
				coll := collation.Nearest(id.Name())
				agreedNames = agreedNames && (named == nil || named == coll)
				named = coll
				break
			}
			w, ok := o.(Operand)
			if !ok {
				break
			}
			o = w.PushdownOperand()
		}
	}
	if named != nil {
		return named, agreedNames
	}
	return typed, agreed
}

// collate gives a constant the collation in which it is compared with another operand.
func (c constant) collate(operands ...sql.Expression) constant {
	if c.kind == constantString {
		coll, ok := collationOf(operands...)
		c.collation, c.mixed = coll, !ok
	}
	return c
}

// compareString compares a column of strings. Another collation than the index's has another order; but identical
// strings are equal in all collations.
func (v view) compareString(a *analysis, op operator, c constant) (outcome, string, bool) {
	coll := c.collation
	if coll == nil {
		coll = v.column.Collation
	}
	switch {
	case c.mixed:
		return outcome{}, "it names two collations", false
	case coll == v.column.Collation:
		return v.domain().compare(op, a.placeString(v.column, c.text)), "", true
	case op != opEqual || !coll.IsIdentity():
		return outcome{}, fmt.Sprintf("it compares in %s, and the index is in %s", coll, v.column.Collation), false
	}
	p := a.placeString(v.column, c.text)
	p.exact = p.exact && v.column.Collation.IsIdentity()
	return v.domain().compare(op, p), "", true
}

// textIsComparable reports whether the text of a JSON value, which compares in the
// default collation, is compared in one that has ranges here.
func (c constant) textIsComparable(op operator) (string, bool) {
	switch {
	case c.mixed:
		return "it names two collations", false
	case c.collation == nil || c.collation == collation.Default || op == opEqual && c.collation.IsIdentity():
		return "", true
	}
	return fmt.Sprintf("it compares in %s, and the index is in %s", c.collation, collation.Default), false
}
