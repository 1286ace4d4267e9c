package sqlbackend

import (
	"context"
	"maps"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/sqlbackend/ddl"
	"github.com/sqlfdb/sqlfdb/sqlbackend/hold"
	"github.com/sqlfdb/sqlfdb/sqlbackend/information"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
	"github.com/sqlfdb/sqlfdb/sqlbackend/syntax"
)

// preparable refuses the statements that MySQL does not prepare: LOAD DATA with a file from the client, statements
// about prepared statements, and ALTER VIEW.
func preparable(stmt ast.Statement) error {
	refused := false
	switch n := stmt.(type) {
	case *ast.Load, *ast.Prepare, *ast.Execute, *ast.Deallocate:
		refused = true
	case *ast.DDL:
		refused = syntax.AltersView(n)
	}
	if refused {
		return mysql.NewSQLError(mysqlerr.UnsupportedPrepared, "HY000",
			"This command is not supported in the prepared statement protocol yet")
	}
	return nil
}

// ReadPrepared parses a statement that is to be prepared as an Engine's parser does, and counts its parameters. It
// returns the parser's errors, for FinishError to finish, or MySQL's error where the statement can't be prepared.
func ReadPrepared(ctx context.Context, query string, options ast.ParserOptions) (parameters int, err error) {
	if _, ok := information.TranslateCheck(query); ok {
		return 0, nil
	}
	if _, ok := ddl.ParseAlterOption(query); ok {
		return 0, nil
	}
	if _, rest, ok := ddl.ParseOwn(query); ok && strings.Trim(rest, "; \t\r\n") == "" {
		return 0, nil
	}
	stmt, end, err := parserOf(sql.GlobalParser).ParseOneWithOptions(ctx, query, options)
	switch {
	case err == ast.ErrEmpty || err == nil && stmt == nil:
		return 0, mysql.NewSQLError(mysqlerr.EmptyQuery, "42000", "Query was empty")
	case err != nil:
		return 0, err
	}
	if rest := query[min(end, len(query)):]; statement.NextToken(strings.TrimLeft(rest, "; \t\r\n"),
		0).Kind != statement.TokenEnd {
		return 0, mysql.NewSQLError(mysql.ERParseError, "42000",
			"syntax error near '%s': only one statement can be prepared at a time", mysqlerr.Shortened(rest))
	}
	if err := preparable(stmt); err != nil {
		return 0, err
	}
	names := map[string]bool{} // a statement that was rewritten may have a parameter twice
	_ = statement.Walk(func(node ast.SQLNode) (bool, error) {
		if v, ok := node.(*ast.SQLVal); ok && v.Type == ast.ValArg {
			names[string(v.Val)] = true
		}
		return true, nil
	}, stmt)
	return len(names), nil
}

// notePrepare keeps the text that a PREPARE names, if there is room for it. As in MySQL the statement that had the
// name before is gone, even if this one fails.
func notePrepare(s *session.Session, ctx *sql.Context, p *ast.Prepare) error {
	text := p.Expr
	if name, ok := strings.CutPrefix(text, "@"); ok {
		_, v, err := s.GetUserVariable(ctx, strings.Trim(name, "@"))
		if err != nil {
			return nil
		}
		converted, _, err := types.LongText.Convert(ctx, v)
		if err != nil {
			return nil
		}
		text, _ = converted.(string)
	}
	forgetPrepared(s, ctx, p.Name)
	if err := s.Held.Keep(ctx, keptBytes(p.Name, text)); err != nil {
		return err
	}
	if s.Prepared == nil {
		s.Prepared = map[string]string{}
	}
	s.Prepared[p.Name] = text
	delete(s.Reparsed, p.Name)
	s.Parsed.Executed = text
	s.Backend.Engine.PreparedDataCache.UncacheStmt(s.ID(), p.Name)
	return nil
}

// keptBytes is about how many bytes a prepared statement takes: its text, and its syntax tree.
func keptBytes(name, text string) int {
	return hold.KeyBytes + len(name) + hold.BytesOfPrepared*len(text)
}

// forgetPrepared forgets the text that a PREPARE has named.
func forgetPrepared(s *session.Session, ctx *sql.Context, name string) {
	if text, ok := s.Prepared[name]; ok {
		_ = s.Held.Keep(ctx, -keptBytes(name, text)) // fewer bytes are no error
		delete(s.Prepared, name)
	}
}

// maxReparsed bounds the statements that are parsed again by each run; then the closed ones are forgotten.
const maxReparsed = 256

// noteReparse notes that each run of the statement that is being prepared parses it again.
func noteReparse(s *session.Session, text string) {
	if len(s.Parsed.All) > 0 {
		if p, ok := s.Parsed.All[0].(*ast.Prepare); ok {
			text = p.Name
		}
	}
	if s.Reparsed == nil {
		s.Reparsed = map[string]bool{}
	}
	if len(s.Reparsed) >= maxReparsed { // among them are statements that could not be prepared
		kept := s.Backend.Engine.PreparedDataCache.CachedStatementsForSession(s.ID())
		maps.DeleteFunc(s.Reparsed, func(text string, _ bool) bool { return kept[text] == nil })
	}
	s.Reparsed[text] = true
}

// reparse parses a statement that PREPARE has named again, if its syntax tree depends on definitions.
func (p *notingParser) reparse(ctx *sql.Context, s *session.Session, name string) {
	text, ok := s.Prepared[name]
	if !ok || !s.Reparsed[name] {
		return
	}
	parsed := s.Parsed.All
	s.Parsed.All = []ast.Statement{&ast.Prepare{Name: name, Expr: text}}
	stmt, _, err := p.ParseOneWithOptions(ctx, text, sql.LoadSqlMode(ctx).ParserOptions())
	s.Parsed.All = parsed
	if err != nil {
		stmt = session.Failing(mysqlerr.Of(ctx, err))
	}
	p.backend.Engine.PreparedDataCache.CacheStmt(s.ID(), name, stmt)
}

// executedDefinition is the text of the definition that an EXECUTE is about. The engine keeps a prepared statement's
// syntax tree only, and takes parts of definitions out of the text that the client has sent.
func executedDefinition(s *session.Session, stmt ast.Statement) (text string, ok bool) {
	x, ok := stmt.(*ast.Execute)
	if !ok || len(x.VarList) > 0 {
		return "", false
	}
	prepared, ok := s.Backend.Engine.PreparedDataCache.GetCachedStmt(s.ID(), x.Name)
	if !ok {
		return "", false
	}
	switch prepared.(type) {
	case *ast.DDL, *ast.AlterTable, *ast.DBDDL:
	default:
		return "", false
	}
	if text, ok = s.Prepared[x.Name]; ok {
		s.Parsed.Executed = text
	}
	return text, ok
}

// refused is why a statement is refused before the engine plans it; nil: it is not.
func refused(s *session.Session, ctx *sql.Context, stmt ast.Statement) error {
	switch n := stmt.(type) {
	case *ast.Call:
		switch {
		case !n.ProcName.Qualifier.IsEmpty(): // the engine looks for the database
		case ctx.GetCurrentDatabase() == "":
			return sql.ErrNoDatabaseSelected.New()
		default:
			return mysql.NewSQLError(1305, "42000", "PROCEDURE %s.%s does not exist", ctx.GetCurrentDatabase(),
				n.ProcName.Name.String())
		}
	case *ast.CreateSpatialRefSys:
		return mysqlerr.Unsupported("spatial reference systems")
	case ast.SelectStatement:
		if into := n.GetInto(); into != nil && (into.Outfile != "" || into.Dumpfile != "") {
			return mysql.NewSQLError(mysqlerr.OptionPrevents, "HY000",
				"The server writes no files of its own (secure_file_priv is NULL)")
		}
	case *ast.DDL:
		if err := ddl.RefusedOfBucket(s, n); err != nil {
			return err
		}
		if err := ddl.RefusedDefaults(s, ctx, stmt); err != nil {
			return err
		}
		return refusedIndex(n.IndexSpec)
	case *ast.AlterTable:
		if err := ddl.RefusedOfBucket(s, n.Statements...); err != nil {
			return err
		}
		if err := ddl.RefusedDefaults(s, ctx, stmt); err != nil {
			return err
		}
		for _, clause := range n.Statements {
			if err := refusedIndex(clause.IndexSpec); err != nil {
				return err
			}
		}
	}
	return nil
}

// refusedIndex refuses an index that CREATE INDEX or ALTER TABLE adds, of a kind that there is not.
func refusedIndex(spec *ast.IndexSpec) error {
	if spec == nil || spec.Action != ast.CreateStr {
		return nil
	}
	switch strings.ToLower(spec.Type) {
	case ast.FulltextStr, ast.SpatialStr:
		return mysqlerr.Unsupported("%s indexes", strings.ToUpper(spec.Type))
	}
	return nil
}

// keptStatements is how many texts of prepared statements, open or closed, the engine keeps parsed for the session.
func keptStatements(s *session.Session) int {
	return len(s.Backend.Engine.PreparedDataCache.CachedStatementsForSession(s.ID()))
}

// forgetStatements makes the engine forget the texts that are neither open nor named by PREPARE, and returns how many
// it keeps. A forgotten text is parsed again when it is needed.
func forgetStatements(s *session.Session, open map[string]bool) (kept int) {
	cache := s.Backend.Engine.PreparedDataCache
	texts := cache.CachedStatementsForSession(s.ID())
	gone := make([]string, 0, len(texts))
	for text := range texts {
		if _, named := s.Prepared[text]; !named && !open[text] {
			gone = append(gone, text)
		}
	}
	for _, text := range gone {
		cache.UncacheStmt(s.ID(), text)
		delete(s.Reparsed, text)
	}
	return len(texts)
}

// preparedError is why a statement that has just been prepared would fail whenever it is run: its account may not run
// it, for one. It is forgotten then.
func preparedError(s *session.Session, query string) error {
	cache := s.Backend.Engine.PreparedDataCache
	query = sql.RemoveSpaceAndDelimiter(query, ';')
	stmt, ok := cache.GetCachedStmt(s.ID(), query)
	if !ok {
		return nil
	}
	if injected, ok := stmt.(ast.InjectedStatement); ok {
		if failing, ok := injected.Statement.(session.FailingStatement); ok {
			cache.UncacheStmt(s.ID(), query)
			return failing.Err
		}
	}
	return nil
}
