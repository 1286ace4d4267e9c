package functions

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/sqlfdb/sqlfdb/collation"
	"github.com/sqlfdb/sqlfdb/sqlbackend/hold"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// TextSearch is FIELD, FIND_IN_SET, INSTR or LOCATE of strings in one of our collations. The engine's functions
// compare in lower case or by bytes, whatever the collation, and count bytes as characters.
type TextSearch struct {
	Name   string
	Args   []sql.Expression
	Coll   *collation.Collation
	Search func(p *hold.Pace, c *collation.Collation, args []string, position int) int
}

var _ sql.FunctionExpression = (*TextSearch)(nil)

// FunctionName implements sql.FunctionExpression.
func (f *TextSearch) FunctionName() string { return f.Name }

// Description implements sql.FunctionExpression.
func (f *TextSearch) Description() string { return "finds a string" }

// Resolved implements sql.Expression.
func (f *TextSearch) Resolved() bool { return expression.ExpressionsResolved(f.Args...) }

// IsNullable implements sql.Expression.
func (f *TextSearch) IsNullable() bool { return f.Name != "field" }

// Type implements sql.Expression. It is the type of the engine's function, which columns of derived tables have.
func (f *TextSearch) Type() sql.Type {
	if f.Name == "locate" {
		return types.Int32
	}
	return types.Int64
}

// Children implements sql.Expression.
func (f *TextSearch) Children() []sql.Expression { return f.Args }

// WithChildren implements sql.Expression.
func (f *TextSearch) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	if len(children) != len(f.Args) {
		return nil, sql.ErrInvalidChildrenNumber.New(f, len(children), len(f.Args))
	}
	next := *f
	next.Args = children
	return &next, nil
}

// Eval implements sql.Expression. FIELD of NULL is 0, and NULL equals nothing in it; the others are NULL if an
// argument is.
func (f *TextSearch) Eval(ctx *sql.Context, row sql.Row) (interface{}, error) {
	texts, position := make([]string, 0, len(f.Args)), 1
	for i, a := range f.Args {
		v, err := a.Eval(ctx, row)
		if err != nil {
			return nil, err
		}
		switch {
		case v == nil && f.Name != "field":
			return nil, nil
		case v == nil && i == 0:
			return int64(0), nil
		case v == nil:
			texts = append(texts, noText)
			continue
		case f.Name == "locate" && i == 2:
			n, _, err := types.Int64.Convert(ctx, v)
			if err != nil {
				return nil, err
			}
			position = int(n.(int64))
			continue
		}
		text, err := value.TextOf(ctx, v)
		if err != nil {
			return nil, err
		}
		texts = append(texts, text)
	}
	p := hold.Pace{Ctx: ctx}
	at := f.Search(&p, f.Coll, texts, position)
	if p.Err != nil {
		return nil, p.Err
	}
	if f.Name == "locate" {
		return int32(at), nil
	}
	return int64(at), nil
}

// noText stands for NULL among the arguments of FIELD: no string of a client equals it.
const noText = "\xff\x00NULL"

// String implements fmt.Stringer.
func (f *TextSearch) String() string {
	args := make([]string, len(f.Args))
	for i, a := range f.Args {
		args[i] = a.String()
	}
	return fmt.Sprintf("%s(%s)", f.Name, strings.Join(args, ","))
}

// SearchField computes FIELD: the place of a text in a list of texts, from 1, or 0.
func SearchField(_ *hold.Pace, c *collation.Collation, args []string, _ int) int {
	for i, a := range args[1:] {
		if a != noText && c.Equal(args[0], a) {
			return i + 1
		}
	}
	return 0
}

// SearchSet computes FIND_IN_SET: the place of a text among the members between commas, from 1, or 0.
func SearchSet(_ *hold.Pace, c *collation.Collation, args []string, _ int) int {
	if args[1] == "" {
		return 0
	}
	n := 0
	for member := range strings.SplitSeq(args[1], ",") {
		if n++; c.Equal(args[0], member) {
			return n
		}
	}
	return 0
}

// SearchText returns the place of a string within another, counted in characters from 1, at or after a position; 0 if
// there is none.
func SearchText(p *hold.Pace, c *collation.Collation, part, text string, position int) int {
	if position < 1 {
		return 0
	}
	at := 0
	for range position - 1 {
		if at >= len(text) {
			return 0
		}
		_, n := utf8.DecodeRuneInString(text[at:])
		at += n
	}
	if c.IsIdentity() {
		n := strings.Index(text[at:], part)
		if n < 0 {
			return 0
		}
		return position + utf8.RuneCountInString(text[at:at+n])
	}
	for ; p.Err == nil; position++ {
		if beginsLike(p, c, text[at:], part) {
			return position
		}
		if at >= len(text) {
			return 0
		}
		_, n := utf8.DecodeRuneInString(text[at:])
		at += n
	}
	return 0
}

// beginsLike compares character by character.
func beginsLike(p *hold.Pace, c *collation.Collation, text, part string) bool {
	for part != "" && p.Step() {
		w, n := utf8.DecodeRuneInString(part)
		r, m := utf8.DecodeRuneInString(text)
		if m == 0 || !c.EqualRunes(w, r) {
			return false
		}
		part, text = part[n:], text[m:]
	}
	return part == ""
}
