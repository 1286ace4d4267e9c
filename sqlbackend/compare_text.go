package sqlbackend

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/expression/function"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/collation"
	"github.com/sqlfdb/sqlfdb/sqlbackend/hold"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// textSearch is FIELD, FIND_IN_SET, INSTR or LOCATE of strings in one of our
// collations. The engine's compare in lower case or by bytes, whatever the collation, and
// count bytes for characters.
type textSearch struct {
	name   string
	args   []sql.Expression
	coll   *collation.Collation
	search func(p *hold.Pace, c *collation.Collation, args []string, position int) int
}

var _ sql.FunctionExpression = (*textSearch)(nil)

// textSearch replaces the engine's function where strings are searched.
func (c comparer) textSearch(e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
	f := &textSearch{args: e.Children()}
	switch e.(type) {
	case *function.Field:
		f.name, f.search = "field", searchField
	case *function.FindInSet:
		f.name, f.search = "find_in_set", searchSet
	case function.Instr:
		f.name, f.search = "instr", func(p *hold.Pace, c *collation.Collation, args []string, _ int) int {
			return searchText(p, c, args[1], args[0], 1)
		}
	default:
		f.name, f.search = "locate", func(p *hold.Pace, c *collation.Collation, args []string, position int) int {
			return searchText(p, c, args[0], args[1], position)
		}
	}
	compared := f.args
	if f.name == "locate" {
		compared = f.args[:2]
	}
	if f.name != "field" {
		texts, changed := each(compared, func(a sql.Expression) sql.Expression {
			if c.class(a) == classNumber {
				return a
			}
			return asSQLText(asEnumText(a))
		})
		if changed {
			f.args = append(texts, f.args[len(compared):]...)
			compared = texts
		}
	}
	for _, a := range compared {
		class := c.class(a)
		if number := class == classNumber && f.name != "field"; class != classText && class != classNull && !number {
			return e, transform.SameTree, nil
		}
	}
	if err := c.mixed(f.name, compared...); err != nil {
		return e, transform.SameTree, err
	}
	f.coll = c.textCollation(compared...)
	return f, transform.NewTree, nil
}

// FunctionName implements sql.FunctionExpression.
func (f *textSearch) FunctionName() string { return f.name }

// Description implements sql.FunctionExpression.
func (f *textSearch) Description() string { return "finds a string" }

// Resolved implements sql.Expression.
func (f *textSearch) Resolved() bool { return expression.ExpressionsResolved(f.args...) }

// IsNullable implements sql.Expression.
func (f *textSearch) IsNullable() bool { return f.name != "field" }

// Type implements sql.Expression. It is what the engine's function has, by which columns of derived tables go.
func (f *textSearch) Type() sql.Type {
	if f.name == "locate" {
		return types.Int32
	}
	return types.Int64
}

// Children implements sql.Expression.
func (f *textSearch) Children() []sql.Expression { return f.args }

// WithChildren implements sql.Expression.
func (f *textSearch) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	if len(children) != len(f.args) {
		return nil, sql.ErrInvalidChildrenNumber.New(f, len(children), len(f.args))
	}
	next := *f
	next.args = children
	return &next, nil
}

// Eval implements sql.Expression. FIELD of NULL is 0, and NULL is equal to nothing in it;
// the others are NULL if an argument is.
func (f *textSearch) Eval(ctx *sql.Context, row sql.Row) (interface{}, error) {
	texts, position := make([]string, 0, len(f.args)), 1
	for i, a := range f.args {
		v, err := a.Eval(ctx, row)
		if err != nil {
			return nil, err
		}
		switch {
		case v == nil && f.name != "field":
			return nil, nil
		case v == nil && i == 0:
			return int64(0), nil
		case v == nil:
			texts = append(texts, noText)
			continue
		case f.name == "locate" && i == 2:
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
	at := f.search(&p, f.coll, texts, position)
	if p.Err != nil {
		return nil, p.Err
	}
	if f.name == "locate" {
		return int32(at), nil
	}
	return int64(at), nil
}

// noText stands for NULL among the arguments of FIELD: no string of a client's is it.
const noText = "\xff\x00NULL"

// String implements fmt.Stringer.
func (f *textSearch) String() string {
	args := make([]string, len(f.args))
	for i, a := range f.args {
		args[i] = a.String()
	}
	return fmt.Sprintf("%s(%s)", f.name, strings.Join(args, ","))
}

func searchField(_ *hold.Pace, c *collation.Collation, args []string, _ int) int {
	for i, a := range args[1:] {
		if a != noText && c.Equal(args[0], a) {
			return i + 1
		}
	}
	return 0
}

func searchSet(_ *hold.Pace, c *collation.Collation, args []string, _ int) int {
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

// searchText is the place of a string within another, counted in characters
// from 1, at or behind a position; 0 if there is none.
func searchText(p *hold.Pace, c *collation.Collation, part, text string, position int) int {
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

// collationNameOf is COLLATION of a string that one of our collations compares.
func (c comparer) collationNameOf(e *function.Collation) (sql.Expression, transform.TreeIdentity, error) {
	if c.class(e.Child) != classText {
		return e, transform.SameTree, nil
	}
	return expression.NewLiteral(c.textCollation(e.Child).Name(), types.LongText), transform.NewTree, nil
}
