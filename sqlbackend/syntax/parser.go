package syntax

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/sqlbackend/compare"
	"github.com/sqlfdb/sqlfdb/sqlbackend/functions"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
)

// parseCreateSelect reads a CREATE TABLE … SELECT that the engine's parser has refused. Positions in the statement
// refer to the returned text.
func (p *statementParser) parseCreateSelect(ctx context.Context, query string, options ast.ParserOptions) (
	stmt ast.Statement, text string, ok bool) {
	parts, ok := statement.CutCreateSelect(query)
	if !ok {
		return nil, "", false
	}
	read := func(text string) (ast.Statement, string, bool) {
		stmt, _, _, err := p.inner.ParseWithOptions(ctx, text, ';', false, options)
		if err == nil {
			return stmt, text, true
		}
		if text, ok = Translate(text); !ok {
			return nil, "", false
		}
		stmt, _, _, err = p.inner.ParseWithOptions(ctx, text, ';', false, options)
		return stmt, text, err == nil
	}
	head := query[:parts.Head]
	created, _, ok := read(head + " AS SELECT 1")
	if !ok {
		return nil, "", false
	}
	if _, _, ok = read(head + parts.Definition(append([]string{"`sqlfdb any` INT"}, parts.Elements...))); !ok {
		return nil, "", false
	}
	selected, text, ok := read(strings.Repeat(" ", parts.Query) + query[parts.Query:parts.End])
	if !ok {
		return nil, "", false
	}
	ddl, isDDL := created.(*ast.DDL)
	rows, selects := selected.(ast.SelectStatement)
	if !isDDL || !selects || rows.GetInto() != nil {
		return nil, "", false
	}
	ddl.OptSelect = &ast.OptSelect{Select: rows}
	if defined, err := json.Marshal(parts); err == nil { // texts always have JSON
		ddl.SubStatementStr = string(defined)
	}
	return ddl, text, true
}

// errOffset is plain, like the parser's errors.
var errOffset = errors.New("syntax error in LIMIT: UPDATE and DELETE take no offset")

// checkOffset refuses LIMIT with an offset in UPDATE and DELETE, as MySQL does.
func checkOffset(stmt ast.Statement) error {
	var limit *ast.Limit
	switch n := stmt.(type) {
	case *ast.Update:
		limit = n.Limit
	case *ast.Delete:
		limit = n.Limit
	}
	if limit == nil || limit.Offset == nil {
		return nil
	}
	return errOffset
}

// errRecursiveOffset is plain, like the parser's errors; its number is found by its text.
var errRecursiveOffset = errors.New("unsupported syntax: OFFSET of a recursive common table expression")

// refuseRecursiveOffset refuses OFFSET of a common table expression that reads itself: the plan builder ignores it.
func refuseRecursiveOffset(stmt ast.Statement, query string) error {
	if !statement.Holds(query, "recursive") {
		return nil
	}
	return statement.Walk(func(n ast.SQLNode) (bool, error) {
		with, ok := n.(*ast.With)
		if !ok || with == nil || !with.Recursive {
			return true, nil
		}
		for _, c := range with.Ctes {
			query, ok := c.Expr.(*ast.Subquery)
			if !ok {
				continue
			}
			union, ok := query.Select.(*ast.SetOp)
			if ok && union.Limit != nil && union.Limit.Offset != nil && readsTable(union, c.As.String()) {
				return false, errRecursiveOffset
			}
		}
		return true, nil
	}, stmt)
}

// readsTable reports whether a query reads a table of that name.
func readsTable(query ast.SQLNode, name string) bool {
	found := false
	_ = statement.Walk(func(n ast.SQLNode) (bool, error) {
		if t, ok := n.(ast.TableName); ok && t.DbQualifier.IsEmpty() && strings.EqualFold(t.Name.String(), name) {
			found = true
		}
		return !found, nil
	}, query)
	return found
}

// refuseUsers refuses the statements of accounts that the engine's parser has read, for example within MySQL's
// comments.
func refuseUsers(stmt ast.Statement) error {
	switch s := stmt.(type) {
	case *ast.CreateUser, *ast.RenameUser, *ast.DropUser, *ast.CreateRole, *ast.DropRole,
		*ast.GrantPrivilege, *ast.GrantRole, *ast.GrantProxy,
		*ast.RevokePrivilege, *ast.RevokeAllPrivileges, *ast.RevokeRole, *ast.RevokeProxy:
	case *ast.DDL:
		if s.User.IsEmpty() || s.Action != ast.AlterStr {
			return nil
		}
	default:
		return nil
	}
	return errors.New(mysqlerr.UsersText) // plain, like those of statement.TooComplex
}

// statementParser makes the engine's parser read MySQL's statements that it does not know. A statement that it knows
// is parsed once and left alone; others are translated after the engine's parser has refused them.
type statementParser struct {
	inner sql.Parser
	own   []ownStatement
}

// ownStatement reads a statement that has a node of ours from the start of a text, and returns its length. For some
// it returns an equivalent statement as text.
type ownStatement func(text string) (stmt ast.Statement, translated string, length int, ok bool)

// ofOwn reads a statement that has a node of ours.
func (p *statementParser) ofOwn(text string) (stmt ast.Statement, translated string, length int, ok bool) {
	for _, read := range p.own {
		if stmt, translated, length, ok = read(text); ok {
			return stmt, translated, length, true
		}
	}
	return nil, "", 0, false
}

var _ sql.Parser = (*statementParser)(nil)

// NewParser wraps the engine's parser, and tries the readers of own statements before it.
func NewParser(inner sql.Parser, own ...ownStatement) sql.Parser {
	return &statementParser{inner: inner, own: own}
}

// ParseSimple implements sql.Parser.
func (p *statementParser) ParseSimple(query string) (ast.Statement, error) {
	written, escapes, err := checkedText(query, ast.ParserOptions{})
	if err != nil {
		return nil, err
	}
	query = escapes.Apply(written)
	stmt, err := p.inner.ParseSimple(query)
	if err != nil {
		if translated, ok := Translate(query); ok {
			if again, failed := p.inner.ParseSimple(translated); failed == nil {
				stmt, err = again, nil
			}
		}
	}
	if _, selects := stmt.(ast.SelectStatement); selects && err == nil { // such as an expression of a definition
		compare.DateLiterals(stmt, query)
		planAsCalls(stmt, query)
	}
	return stmt, err
}

// checkedText returns a text that the engine's parser may read, and the edits to it.
func checkedText(query string, options ast.ParserOptions) (string, Edits, error) {
	query, err := statement.PlainText(query)
	if err != nil {
		return "", nil, err
	}
	query = nationalStrings(query)
	return query, wildcardEscapes(query, options), statement.CheckText(query)
}

// Parse implements sql.Parser.
func (p *statementParser) Parse(ctx *sql.Context, query string, multi bool) (ast.Statement, string, string, error) {
	return p.ParseWithOptions(ctx, query, ';', multi, sql.LoadSqlMode(ctx).ParserOptions())
}

// ParseWithOptions implements sql.Parser.
func (p *statementParser) ParseWithOptions(ctx context.Context, query string, delimiter rune, multi bool,
	options ast.ParserOptions) (ast.Statement, string, string, error) {
	written, escapes, err := checkedText(query, options)
	if err != nil {
		return nil, "", "", err
	}
	if len(escapes) == 0 {
		return p.parseChecked(ctx, written, delimiter, multi, options)
	}
	escaped := escapes.Apply(written)
	stmt, parsed, rest, err := p.parseChecked(ctx, escaped, delimiter, multi, options)
	if err != nil {
		return stmt, parsed, rest, err
	}
	if _, _, _, refused := p.inner.ParseWithOptions(ctx, escaped, delimiter, multi, options); refused == nil &&
		strings.HasPrefix(escaped, parsed) && strings.HasSuffix(escaped, rest) {
		parsed, rest = written[:escapes.place(len(parsed))], written[escapes.place(len(escaped)-len(rest)):]
		escapes.definitionAsWritten(stmt)
	}
	escapes.namesAsWritten(stmt, written)
	return stmt, parsed, rest, nil
}

func (p *statementParser) parseChecked(ctx context.Context, query string, delimiter rune, multi bool,
	options ast.ParserOptions) (ast.Statement, string, string, error) {
	if control, set, length, ok := p.ofOwn(query); ok {
		rest := strings.TrimLeft(query[length:], "; \t\r\n")
		if rest == "" || multi {
			if set != "" {
				var err error
				if control, _, _, err = p.inner.ParseWithOptions(ctx, set, ';', false, options); err != nil {
					return nil, "", "", err
				}
			}
			return control, strings.TrimSpace(query[:length]), rest, nil
		}
	}
	if rows, ok := cutRows(query); ok {
		return p.parseRows(ctx, query, rows, delimiter, multi, options)
	}
	stmt, parsed, rest, err := p.inner.ParseWithOptions(ctx, query, delimiter, multi, options)
	if err == nil || err == ast.ErrEmpty {
		if refused := accept(ctx, stmt, query); refused != nil {
			return nil, "", "", refused
		}
		return stmt, parsed, rest, err
	}
	if stopped := ctx.Err(); stopped != nil {
		return nil, "", "", stopped
	}
	first, rest := query, ""
	if multi && delimiter == ';' {
		first, rest = statement.Cut(query)
	}
	if made, text, ok := p.parseCreateSelect(ctx, first, options); ok {
		if refused := accept(ctx, made, text); refused != nil {
			return nil, "", "", refused
		}
		return made, first, rest, nil
	}
	translated, edits, ok := translate(first)
	if stopped := ctx.Err(); stopped != nil {
		return nil, "", "", stopped
	}
	if !ok {
		return stmt, parsed, rest, orUnknown(first, err)
	}
	again, parsedAgain, _, failed := p.inner.ParseWithOptions(ctx, translated, delimiter, false, options)
	if failed != nil {
		return stmt, parsed, rest, orUnknown(first, err) // the message should be about the user's own text
	}
	markAlterView(again, first)
	markIfIndex(again, first)
	namedAsWritten(again, first, edits)
	if refused := accept(ctx, again, translated); refused != nil {
		return nil, "", "", refused
	}
	return again, parsedAgain, rest, nil
}

// ParseOneWithOptions implements sql.Parser.
func (p *statementParser) ParseOneWithOptions(ctx context.Context, query string,
	options ast.ParserOptions) (ast.Statement, int, error) {
	written, escapes, err := checkedText(query, options)
	if err != nil {
		return nil, 0, err
	}
	if len(escapes) == 0 {
		return p.parseOneChecked(ctx, written, options)
	}
	escaped := escapes.Apply(written)
	stmt, n, err := p.parseOneChecked(ctx, escaped, options)
	if err == nil {
		if _, _, refused := p.inner.ParseOneWithOptions(ctx, escaped, options); refused == nil {
			escapes.definitionAsWritten(stmt)
		}
		escapes.namesAsWritten(stmt, written)
	}
	return stmt, escapes.place(n), err
}

func (p *statementParser) parseOneChecked(ctx context.Context, query string,
	options ast.ParserOptions) (ast.Statement, int, error) {
	if control, set, length, ok := p.ofOwn(query); ok {
		if set != "" {
			var err error
			if control, _, err = p.inner.ParseOneWithOptions(ctx, set, options); err != nil {
				return nil, 0, err
			}
		}
		return control, length, nil
	}
	if rows, ok := cutRows(query); ok {
		stmt, _, rest, err := p.parseRows(ctx, query, rows, ';', true, options)
		return stmt, len(query) - len(rest), err
	}
	stmt, n, err := p.inner.ParseOneWithOptions(ctx, query, options)
	if err == nil || err == ast.ErrEmpty {
		if refused := accept(ctx, stmt, query); refused != nil {
			return nil, 0, refused
		}
		return stmt, n, err
	}
	if stopped := ctx.Err(); stopped != nil {
		return nil, 0, stopped
	}
	first, rest := statement.Cut(query)
	if made, text, ok := p.parseCreateSelect(ctx, first, options); ok {
		if refused := accept(ctx, made, text); refused != nil {
			return nil, 0, refused
		}
		return made, len(query) - len(rest), nil
	}
	translated, edits, ok := translate(first)
	if stopped := ctx.Err(); stopped != nil {
		return nil, 0, stopped
	}
	if !ok {
		return stmt, n, orUnknown(first, err)
	}
	again, _, failed := p.inner.ParseOneWithOptions(ctx, translated, options)
	if failed != nil {
		return stmt, n, orUnknown(first, err)
	}
	markAlterView(again, first)
	markIfIndex(again, first)
	namedAsWritten(again, first, edits)
	if refused := accept(ctx, again, translated); refused != nil {
		return nil, 0, refused
	}
	return again, len(query) - len(rest), nil
}

// accept refuses a parsed statement that may not be planned, and prepares others for the planner. Each step walks
// over the whole statement: a killed statement ends between them.
func accept(ctx context.Context, stmt ast.Statement, query string) error {
	about := statementAbout(stmt)
	for _, step := range []func() error{
		func() error { renameShadowing(about, query); return nil },
		func() error { return expandRollups(about, query) },
		func() error { return statement.CheckDepth(about, query) },
		func() error { return checkNested(about, query) },
		func() error { statement.StopDefaults(about, query, viewsRead(ctx, stmt)); return nil },
		func() error { return checkClauses(stmt) },
		func() error { return refuseUncertainChecks(stmt) },
		func() error { alteredColumns(stmt); return nil },
		func() error { return refuseUsers(stmt) },
		func() error { return refuseNamesakes(stmt) },
		func() error {
			d, ok := stmt.(*ast.DDL)
			switch {
			case ok && d.ViewSpec != nil:
				return functions.RefuseDefaults(about, query)
			case ok && d.ProcedureSpec != nil && d.Action == ast.CreateStr:
				// The engine would parse the text again, and take a statement that is killed meanwhile for a
				// procedure.
				return mysqlerr.Unsupported("stored procedures are not supported")
			}
			return nil
		},
		func() error { return checkOffset(stmt) },
		func() error { return refuseRecursiveOffset(stmt, query) },
		func() error { return refuseMisplacedAggregate(stmt, query) },
		func() error { return refuseMisplacedWindow(stmt, query) },
		func() error { return compare.RefuseDateLiterals(stmt, query) },
	} {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := step(); err != nil {
			return err
		}
	}
	forPlanner(stmt, query)
	return nil
}

// viewsRead returns how many views a statement has read with the one whose text is parsed; 0 for other texts.
func viewsRead(ctx context.Context, stmt ast.Statement) int {
	d, ok := stmt.(*ast.DDL)
	if !ok || d.ViewSpec == nil {
		return 0
	}
	if c, ok := ctx.(*sql.Context); ok {
		if s, ok := c.Session.(interface{ ViewsRead() int }); ok {
			return s.ViewsRead()
		}
	}
	return 0
}

// keepDecimals hides the decimals of literals in comparisons from the plan builder, which rounds a literal to the
// scale of a DECIMAL column: 5.001 would equal 5.00. The comparison rule puts the literals back.
func keepDecimals(stmt ast.Statement, query string) {
	if !hasDecimal(query) {
		return
	}
	switch stmt.(type) {
	case ast.SelectStatement, *ast.Update, *ast.Delete:
	default:
		return // others are kept as text, which can't hold expressions of ours
	}
	_ = statement.Walk(func(n ast.SQLNode) (bool, error) {
		if c, ok := n.(*ast.ComparisonExpr); ok {
			c.Left, c.Right = kept(c.Left), kept(c.Right)
		}
		return true, nil
	}, stmt)
}

// hasDecimal reports whether the text may hold a number with decimals.
func hasDecimal(query string) bool {
	for i := 0; i+1 < len(query); i++ {
		if query[i] == '.' && query[i+1] >= '0' && query[i+1] <= '9' {
			return true
		}
	}
	return false
}

func kept(e ast.Expr) ast.Expr {
	v, ok := e.(*ast.SQLVal)
	if !ok || v.Type != ast.FloatVal {
		return e
	}
	return ast.InjectedExpr{
		Expression: keptLiteral{},
		Children:   ast.Exprs{v},
		Auth:       ast.AuthInformation{AuthType: ast.AuthType_IGNORE},
	}
}

// keptLiteral hides from the plan builder that its child is a literal.
type keptLiteral struct{}

// WithResolvedChildren implements ast.Injectable.
func (keptLiteral) WithResolvedChildren(children []any) (any, error) {
	if len(children) == 1 {
		if l, ok := children[0].(sql.Expression); ok {
			if types.IsText(l.Type()) { // more decimals than the plan builder's DECIMAL
				return newLongNumber(l), nil
			}
			return &tree.Retype{UnaryExpression: expression.UnaryExpression{Child: l}, Target: l.Type()}, nil
		}
	}
	return nil, sql.ErrInvalidChildrenNumber.New("literal", len(children), 1)
}
