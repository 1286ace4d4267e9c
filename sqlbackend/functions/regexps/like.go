package regexps

import (
	"context"
	"fmt"
	"strings"

	regex "github.com/dolthub/go-icu-regex"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"
	"github.com/sqlfdb/sqlfdb/sqlbackend/functions"
	"github.com/sqlfdb/sqlfdb/sqlbackend/pushdown"
)

// Like is REGEXP_LIKE, and REGEXP. It keeps the compiled pattern from row to row while the pattern is the same.
// The engine's compiles it for each row of a table, which takes milliseconds.
type Like struct {
	Text, Pattern, Flags sql.Expression // flags may be nil
	Folds                bool           // the collation of the text and the pattern ignores the case of letters
	compiled             *compiledPattern
}

// errArgument is MySQL's error for an empty pattern.
const errArgument = 3685

// compiledPattern is a compiled pattern with its text and flags.
type compiledPattern struct {
	pattern string
	flags   regex.RegexFlags
	plain   *plain   // nil: ICU matches all texts
	matcher *Matcher // ICU's; nil until it is needed
}

// open returns ICU's matcher of the pattern.
func (c *compiledPattern) open(ctx context.Context) (_ *Matcher, err error) {
	if c.matcher == nil {
		c.matcher, err = NewMatcher(ctx, c.pattern, c.flags)
	}
	return c.matcher, err
}

var (
	_ sql.FunctionExpression = (*Like)(nil)
	_ sql.CollationCoercible = (*Like)(nil)
	_ sql.Disposable         = (*Like)(nil)
	_ pushdown.Regexp        = (*Like)(nil)
)

// FunctionName implements sql.FunctionExpression.
func (r *Like) FunctionName() string { return "regexp_like" }

// Description implements sql.FunctionExpression.
func (r *Like) Description() string {
	return "returns whether string matches regular expression."
}

// Type implements sql.Expression.
func (r *Like) Type() sql.Type { return types.Boolean }

// IsNullable implements sql.Expression.
func (r *Like) IsNullable() bool { return true }

// Resolved implements sql.Expression.
func (r *Like) Resolved() bool {
	return r.Text.Resolved() && r.Pattern.Resolved() && (r.Flags == nil || r.Flags.Resolved())
}

// Children implements sql.Expression.
func (r *Like) Children() []sql.Expression {
	if r.Flags == nil {
		return []sql.Expression{r.Text, r.Pattern}
	}
	return []sql.Expression{r.Text, r.Pattern, r.Flags}
}

// WithChildren implements sql.Expression.
func (r *Like) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	if len(children) != len(r.Children()) {
		return nil, sql.ErrInvalidChildrenNumber.New(r, len(children), len(r.Children()))
	}
	next := &Like{Text: children[0], Pattern: children[1], Folds: r.Folds}
	if r.Flags != nil {
		next.Flags = children[2]
	}
	return next, nil
}

// PushdownRegexp implements pushdown.Regexp.
func (r *Like) PushdownRegexp() (text, pattern sql.Expression) {
	if r.Folds || r.Flags != nil {
		return nil, nil
	}
	return r.Text, r.Pattern
}

// String implements sql.Expression.
func (r *Like) String() string {
	var args []string
	for _, e := range r.Children() {
		args = append(args, e.String())
	}
	return fmt.Sprintf("%s(%s)", r.FunctionName(), strings.Join(args, ","))
}

// CollationCoercibility implements sql.CollationCoercible.
func (r *Like) CollationCoercibility(ctx *sql.Context) (sql.CollationID, byte) {
	text, ofText := sql.GetCoercibility(ctx, r.Text)
	pattern, ofPattern := sql.GetCoercibility(ctx, r.Pattern)
	return sql.ResolveCoercibility(text, ofText, pattern, ofPattern)
}

// Eval implements sql.Expression.
func (r *Like) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	known, err := r.compile(ctx, row)
	if err != nil || !known {
		return nil, err
	}
	text, ok, err := functions.TextAt(ctx, r.Text, row)
	if err != nil || !ok {
		return nil, err
	}
	matches := false
	if r.compiled.plain.takes(text) {
		matches = r.compiled.plain.MatchString(text)
	} else if matches, err = r.compiled.find(ctx, text); err != nil {
		return nil, err
	}
	if matches {
		return int8(1), nil
	}
	return int8(0), nil
}

// find reports whether ICU finds the pattern in a text.
func (c *compiledPattern) find(ctx context.Context, text string) (bool, error) {
	matcher, err := c.open(ctx)
	if err != nil {
		return false, err
	}
	defer matcher.dropText()
	if err := matcher.SetText(ctx, text); err != nil {
		return false, err
	}
	return matcher.Find(ctx, 0)
}

// compile compiles the row's pattern; known is false where it is NULL.
func (r *Like) compile(ctx *sql.Context, row sql.Row) (known bool, err error) {
	pattern, ok, err := functions.TextAt(ctx, r.Pattern, row)
	if err != nil || !ok {
		return false, err
	}
	if pattern == "" {
		return false, mysql.NewSQLError(errArgument, "HY000", "Illegal argument to a regular expression.")
	}
	flags, ok, err := r.matchType(ctx, row)
	if err != nil || !ok {
		return false, err
	}
	if c := r.compiled; c != nil && c.pattern == pattern && c.flags == flags {
		return true, nil
	}
	r.Dispose()
	compiled := &compiledPattern{pattern: pattern, flags: flags, plain: plainOf(pattern, flags)}
	if compiled.plain == nil {
		if _, err := compiled.open(ctx); err != nil {
			return false, err
		}
	}
	r.compiled = compiled
	return true, nil
}

// matchType returns the flags of the match: the given ones, of which the last one wins a contradiction, or the
// collation's default.
func (r *Like) matchType(ctx *sql.Context, row sql.Row) (flags regex.RegexFlags, known bool, err error) {
	if r.Flags == nil {
		if r.Folds {
			flags = regex.RegexFlags_Case_Insensitive
		}
		return flags, true, nil
	}
	given, ok, err := functions.TextAt(ctx, r.Flags, row)
	if err != nil || !ok {
		return 0, false, err
	}
	for _, f := range given {
		switch f {
		case 'c':
			flags &^= regex.RegexFlags_Case_Insensitive
		case 'i':
			flags |= regex.RegexFlags_Case_Insensitive
		case 'm':
			flags |= regex.RegexFlags_Multiline
		case 'n':
			flags |= regex.RegexFlags_Dot_All
		case 'u':
			flags |= regex.RegexFlags_Unix_Lines
		default:
			return 0, false, sql.ErrInvalidArgument.New(r.FunctionName())
		}
	}
	return flags, true, nil
}

// Dispose implements sql.Disposable: nothing else frees the memory of a compiled pattern.
func (r *Like) Dispose() {
	if r.compiled != nil {
		if r.compiled.matcher != nil {
			r.compiled.matcher.Close()
		}
		r.compiled = nil
	}
}
