package regexps

import (
	"errors"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression/function"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"

	"github.com/sqlfdb/sqlfdb/sqlbackend/functions"
	"github.com/sqlfdb/sqlfdb/sqlbackend/hold"
)

// bounded is REGEXP_INSTR, REGEXP_SUBSTR or REGEXP_REPLACE with a matcher that has a limit; the engine's has
// none.
type bounded struct {
	sql.Expression // the engine's
	matches        *Like
	position       sql.Expression // of the first character; nil means 1
}

var (
	_ sql.Expression         = (*bounded)(nil)
	_ sql.FunctionExpression = (*bounded)(nil)
	_ sql.CollationCoercible = (*bounded)(nil)
	_ sql.Disposable         = (*bounded)(nil)
)

// Functions adds the engine's functions of regular expressions. Their library is compiled when a statement
// names one.
func Functions(out map[string]sql.Function) {
	for name, fn := range map[string]func(...sql.Expression) (sql.Expression, error){
		"regexp_instr": function.NewRegexpInstr, "regexp_like": function.NewRegexpLike,
		"regexp_replace": function.NewRegexpReplace, "regexp_substr": function.NewRegexpSubstr,
	} {
		out[name] = sql.FunctionN{Name: name, Fn: func(args ...sql.Expression) (sql.Expression, error) {
			icuModules()
			return fn(args...)
		}}
	}
}

// NewBounded returns a function of the engine with such a matcher.
func NewBounded(e sql.Expression) *bounded {
	args := e.Children()
	out := &bounded{Expression: e, matches: &Like{Text: args[0], Pattern: args[1]}}
	at, flags := 2, 5 // indexes of the position and the flags
	switch e.(type) {
	case *function.RegexpSubstr:
		flags = 4
	case *function.RegexpReplace:
		at = 3
	}
	if len(args) > at {
		out.position = args[at]
	}
	if len(args) > flags {
		out.matches.Flags = args[flags]
	}
	return out
}

// FunctionName implements sql.FunctionExpression.
func (b *bounded) FunctionName() string {
	f, _ := b.Expression.(sql.FunctionExpression)
	return f.FunctionName()
}

// Description implements sql.FunctionExpression.
func (b *bounded) Description() string {
	f, _ := b.Expression.(sql.FunctionExpression)
	return f.Description()
}

// CollationCoercibility implements sql.CollationCoercible.
func (b *bounded) CollationCoercibility(ctx *sql.Context) (sql.CollationID, byte) {
	return sql.GetCoercibility(ctx, b.Expression)
}

// WithChildren implements sql.Expression.
func (b *bounded) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	of, err := b.Expression.WithChildren(children...)
	if err != nil {
		return nil, err
	}
	return NewBounded(of), nil
}

// Eval implements sql.Expression.
func (b *bounded) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	b.matches.Folds = strings.HasSuffix(coercedCollation(ctx, b.matches).Name(), "_ci") // as the engine does
	known, err := b.matches.compile(ctx, row)
	if err != nil {
		var known *mysql.SQLError
		if ctx.Err() != nil || errors.As(err, &known) {
			return nil, err
		}
		return b.Expression.Eval(ctx, row) // the engine reports the error
	}
	if !known {
		return nil, nil
	}
	defer func() {
		if m := b.matches.compiled.matcher; m != nil {
			m.dropText()
		}
	}()
	switch e := b.Expression.(type) {
	case *function.RegexpInstr:
		return b.place(ctx, row, e)
	case *function.RegexpSubstr:
		return b.part(ctx, row, e)
	}
	return b.replaced(ctx, row)
}

// place computes REGEXP_INSTR.
func (b *bounded) place(ctx *sql.Context, row sql.Row, e *function.RegexpInstr) (any, error) {
	behind, ok, err := intAt(ctx, e.ReturnOption, row)
	if err != nil || !ok {
		return nil, err
	}
	m, err := b.nthMatch(ctx, row, e.Occurrence)
	if err != nil || !m.known {
		return nil, err
	}
	switch {
	case !m.found:
		return int32(0), nil
	case behind == 1:
		return int32(m.end + 1), nil
	}
	return int32(m.start + 1), nil
}

// part computes REGEXP_SUBSTR.
func (b *bounded) part(ctx *sql.Context, row sql.Row, e *function.RegexpSubstr) (any, error) {
	m, err := b.nthMatch(ctx, row, e.Occurrence)
	if err != nil || !m.known || !m.found {
		return nil, err
	}
	if m.plain {
		return m.text[m.start:m.end], nil
	}
	return b.matches.compiled.matcher.part(m.start, m.end), nil
}

// match is a match in a text.
type match struct {
	known        bool // no argument is NULL
	found, plain bool
	text         string
	start, end   int // in units of UTF-16
}

// nthMatch finds the n-th match.
func (b *bounded) nthMatch(ctx *sql.Context, row sql.Row, occurrence sql.Expression) (m match, err error) {
	text, ok, err := functions.TextAt(ctx, b.matches.Text, row)
	if err != nil || !ok {
		return match{}, err
	}
	position, ok, err := intAt(ctx, b.position, row)
	if err != nil || !ok {
		return match{}, err
	}
	n, ok, err := intAt(ctx, occurrence, row)
	if err != nil || !ok {
		return match{}, err
	}
	if position < 1 {
		return match{}, failure(icuOutOfBounds)
	}
	m = match{known: true, text: text}
	if c := b.matches.compiled; position == 1 && c.plain.takesAll(text) {
		n := max(int(n), 1)
		if all := c.plain.FindAllStringIndex(text, n); len(all) == n {
			m.found, m.start, m.end = true, all[n-1][0], all[n-1][1]
		}
		m.plain = true
		return m, nil
	}
	matcher, err := b.matches.compiled.open(ctx)
	if err != nil {
		return match{}, err
	}
	if err := matcher.SetText(ctx, text); err != nil {
		return match{}, err
	}
	p := hold.Pace{Ctx: ctx}
	m.found, err = matcher.Find(ctx, int(position)-1)
	for ; n > 1 && m.found && err == nil && p.Step(); n-- {
		m.found, err = matcher.FindNext(ctx)
	}
	if err == nil {
		err = p.Err
	}
	if m.found && err == nil {
		m.start, m.end, err = matcher.Bounds(ctx)
	}
	return m, err
}

// intAt returns the value of an expression as an INT; ok is false for NULL.
func intAt(ctx *sql.Context, e sql.Expression, row sql.Row) (n int32, ok bool, err error) {
	v, err := e.Eval(ctx, row)
	if err != nil || v == nil {
		return 0, false, err
	}
	if v, _, err = types.Int32.Convert(ctx, v); err != nil {
		return 0, false, err
	}
	n, ok = v.(int32)
	return n, ok, nil
}

// replaced computes REGEXP_REPLACE. It finds all matches before the library makes the result, which may be longer than
// a packet.
func (b *bounded) replaced(ctx *sql.Context, row sql.Row) (any, error) {
	args := b.Children()
	text, ok, err := functions.TextAt(ctx, args[0], row)
	if err != nil || !ok {
		return nil, err
	}
	by, ok, err := functions.TextAt(ctx, args[2], row)
	if err != nil || !ok {
		return nil, err
	}
	position, one := int32(1), int32(0) // one is the match to replace; 0 means all
	if b.position != nil {
		if position, ok, err = intAt(ctx, b.position, row); err != nil || !ok {
			return nil, err
		}
	}
	if len(args) > 4 {
		if one, ok, err = intAt(ctx, args[4], row); err != nil || !ok {
			return nil, err
		}
	}
	if text == "" {
		return text, nil
	}
	if c := b.matches.compiled; position == 1 && one == 0 && c.plain.takesAll(text) &&
		len(by) <= plainText && !strings.ContainsAny(by, `$\`) {
		return c.plain.replaced(ctx, text, by)
	}
	matcher, err := b.matches.compiled.open(ctx)
	if err != nil {
		return nil, err
	}
	from := int(position) - 1
	if err := matcher.SetText(ctx, text); err != nil {
		return nil, err
	}
	if from < 0 || from >= matcher.length {
		return nil, failure(icuOutOfBounds)
	}
	n, p, bytes, groups := int32(0), hold.Pace{Ctx: ctx}, float64(len(text)), float64(strings.Count(by, "$"))
	for found, err := matcher.Find(ctx, from); found || err != nil; found, err = matcher.FindNext(ctx) {
		if err != nil {
			return nil, err
		}
		if !p.Step() {
			return nil, p.Err
		}
		if n++; one > 0 && n != one {
			continue
		}
		bytes += float64(len(by))
		if groups > 0 {
			start, end, err := matcher.Bounds(ctx)
			if err != nil {
				return nil, err
			}
			bytes += groups * float64(end-start)
		}
	}
	if bytes > functions.ShortestPacket {
		if over, err := functions.ExceedsPacket(ctx, "regexp_replace", bytes); over || err != nil {
			return nil, err
		}
	}
	if n == 0 {
		return text, nil
	}
	return matcher.replace(ctx, by, from, int(one))
}

// coercedCollation returns the collation of an expression.
func coercedCollation(ctx *sql.Context, e sql.Expression) sql.CollationID {
	of, _ := sql.GetCoercibility(ctx, e)
	return of
}

// Dispose implements sql.Disposable.
func (b *bounded) Dispose() {
	b.matches.Dispose()
	if d, ok := b.Expression.(sql.Disposable); ok {
		d.Dispose()
	}
}
