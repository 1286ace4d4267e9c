package sqlbackend

import (
	"fmt"
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"

	"github.com/sqlfdb/sqlfdb/changes"
	"github.com/sqlfdb/sqlfdb/keyspace"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/sqlbackend/accounts"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/privilege"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
)

// feedFunctions are the functions over the changes of a table, whose first argument is
// its name, `db.t` or `t`.
//
//	sqlfdb_last_seq(table)                the newest sequence, 26 zeros before the first change
//	sqlfdb_wait_changes(table, seq, ms)   1 once there is a change after seq, 0 after ms milliseconds
//	sqlfdb_collection(table)              the number of the collection whose changes these are: another number is
//
// another feed
//
//	sqlfdb_rev(table, key…)               the revision of a document; NULL if there is none
func feedFunctions(out map[string]sql.Function) {
	for _, d := range []feedDefinition{
		{name: "sqlfdb_last_seq", least: 1, most: 1, typ: types.MustCreateStringWithDefaults(types.LongText.Type(),
			2*changes.SequenceSize), eval: lastSequence,
			description: "returns the sequence of the newest change of a table"},
		{name: "sqlfdb_wait_changes", least: 3, most: 3, typ: types.Int64, eval: waitChanges,
			description: "waits for a change after a sequence and returns whether there is one"},
		{name: "sqlfdb_collection", least: 1, most: 1, typ: types.Int64, eval: collectionNumber,
			description: "returns the number of a table's collection, which TRUNCATE and CREATE TABLE give"},
		{name: "sqlfdb_rev", least: 2, typ: types.LongText, eval: revision,
			description: "returns the revision of the document with a primary key"},
	} {
		out[d.name] = sql.FunctionN{Name: d.name, Fn: d.instance}
	}
}

type feedDefinition struct {
	name, description string
	least, most       int // arguments; most is 0 for no limit
	typ               sql.Type
	eval              func(ctx *sql.Context, s *session.Session, def *session.Definition, args []any) (any, error)
}

func (d *feedDefinition) instance(args ...sql.Expression) (sql.Expression, error) {
	if len(args) < d.least || d.most > 0 && len(args) > d.most {
		expected := fmt.Sprint(d.least)
		if d.most == 0 {
			expected += " or more"
		}
		return nil, sql.ErrInvalidArgumentNumber.New(d.name, expected, len(args))
	}
	return &feedFunction{expression.NaryExpression{ChildExpressions: args}, d}, nil
}

// feedFunction is a call of one of them.
type feedFunction struct {
	expression.NaryExpression
	definition *feedDefinition
}

var (
	_ sql.FunctionExpression         = (*feedFunction)(nil)
	_ sql.NonDeterministicExpression = (*feedFunction)(nil)
	_ sql.CollationCoercible         = (*feedFunction)(nil)
)

// FunctionName implements sql.FunctionExpression.
func (f *feedFunction) FunctionName() string { return f.definition.name }

// Description implements sql.FunctionExpression.
func (f *feedFunction) Description() string { return f.definition.description }

// Type implements sql.Expression.
func (f *feedFunction) Type() sql.Type { return f.definition.typ }

// IsNullable implements sql.Expression.
func (f *feedFunction) IsNullable() bool { return true }

// IsNonDeterministic implements sql.NonDeterministicExpression.
func (f *feedFunction) IsNonDeterministic() bool { return true }

// CollationCoercibility implements sql.CollationCoercible.
func (f *feedFunction) CollationCoercibility(*sql.Context) (sql.CollationID, byte) {
	return sql.Collation_Default, 4
}

// String implements fmt.Stringer.
func (f *feedFunction) String() string {
	args := make([]string, len(f.ChildExpressions))
	for i, a := range f.ChildExpressions {
		args[i] = a.String()
	}
	return f.definition.name + "(" + strings.Join(args, ", ") + ")"
}

// WithChildren implements sql.Expression.
func (f *feedFunction) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	return f.definition.instance(children...)
}

// Eval implements sql.Expression.
func (f *feedFunction) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	args := make([]any, len(f.ChildExpressions))
	for i, a := range f.ChildExpressions {
		v, err := a.Eval(ctx, row)
		if err == nil {
			v, err = sql.UnwrapAny(ctx, v)
		}
		if err != nil || v == nil {
			return nil, err
		}
		args[i] = v
	}
	s, err := session.Of(ctx)
	if err != nil {
		return nil, err
	}
	name, ok := args[0].(string)
	if !ok {
		return nil, table.WrongArguments(f.definition.name, "the first one is the name of a table")
	}
	def, err := namedFeed(s, ctx, name)
	if err != nil {
		return nil, err
	}
	v, err := f.definition.eval(ctx, s, def, args[1:])
	return v, mysqlerr.Of(ctx, err)
}

// namedFeed finds the table of a name, `t` or `db.t`, either part in backquotes or not. It
// fails if the session may not read the table.
func namedFeed(s *session.Session, ctx *sql.Context, name string) (*session.Definition, error) {
	database, table, ok := statement.SplitTableName(name)
	if !ok {
		return nil, mysql.NewSQLError(mysql.ERWrongArguments, mysql.SSUnknownSQLState, "%q is no name of a table", name)
	}
	if database == "" {
		database = ctx.GetCurrentDatabase()
	}
	if database == "" {
		return nil, sql.ErrNoDatabaseSelected.New()
	}
	view, err := s.Readers.Definitions()
	if err != nil {
		return nil, mysqlerr.Of(ctx, err)
	}
	a, err := s.Login.Account()
	if err != nil {
		return nil, mysqlerr.Of(ctx, err)
	}
	need := accounts.Need{Privileges: accounts.Select, Database: database, Table: table, Command: "SELECT"}
	if err := privilege.Grants(s, view, a, need); err != nil {
		return nil, err
	}
	t, ok := view.Table(database, table)
	if !ok {
		return nil, mysql.NewSQLError(mysql.ERNoSuchTable, "42S02", "table not found: %s.%s", database, table)
	}
	if t.Bucket != nil {
		return nil, session.InBucket(t, "feed of changes: other programs write there, in no order")
	}
	def, err := s.Backend.Definitions.Of(t)
	return def, mysqlerr.Of(ctx, err)
}

func lastSequence(_ *sql.Context, s *session.Session, def *session.Definition, _ []any) (any, error) {
	r, err := s.Readers.Committed()
	if err != nil {
		return nil, err
	}
	last, _, err := def.Collection.Log().Last(r)
	return last.String(), err
}

func waitChanges(ctx *sql.Context, s *session.Session, def *session.Definition, args []any) (any, error) {
	text, _ := args[0].(string)
	after, err := changes.ParseSequence(text)
	if err != nil {
		return nil, table.WrongArguments("sqlfdb_wait_changes", "the second one is a sequence of 26 hexadecimal digits")
	}
	ms, _, err := types.Int64.Convert(ctx, args[1])
	if err != nil || ms.(int64) < 0 {
		return nil, table.WrongArguments("sqlfdb_wait_changes", "the third one is a number of milliseconds")
	}
	const longest = int64(time.Hour / time.Millisecond)
	waits, stop, why := s.Backend.Waiting(ctx)
	defer stop()
	newer, err := def.Collection.Log().Wait(waits, s.Backend.Store, after, changes.WaitOptions{
		Patience:   time.Duration(min(ms.(int64), longest)) * time.Millisecond,
		Definition: keyspace.Table(strings.ToLower(def.Database), strings.ToLower(def.Name)),
		Current:    stillDefines(s.Backend, def),
	})
	if err != nil {
		return nil, why(err)
	}
	if newer {
		return int64(1), nil
	}
	return int64(0), nil
}

// stillDefines reports whether the name of a table stands for the same collection.
func stillDefines(b *session.Instance, def *session.Definition) func(kv.Reader) (bool, error) {
	return func(r kv.Reader) (bool, error) {
		view, err := b.Catalog.View(r)
		if err != nil {
			return false, err
		}
		now, ok := view.Table(def.Database, def.Name)
		return ok && now.ID == def.ID, nil
	}
}

func collectionNumber(_ *sql.Context, _ *session.Session, def *session.Definition, _ []any) (any, error) {
	return def.ID, nil
}

func revision(ctx *sql.Context, _ *session.Session, def *session.Definition, args []any) (any, error) {
	if def.Hidden() || len(args) != len(def.PrimaryKey) {
		return nil, table.WrongArguments("sqlfdb_rev", fmt.Sprintf("the primary key of %s has %d columns", def,
			len(def.PrimaryKey)))
	}
	var pk []byte
	for i, declared := range def.PrimaryKey {
		c := &def.SQLColumns[declared]
		v, _, err := c.Typ.Convert(ctx, args[i])
		if err == nil {
			pk, err = def.AppendKey(ctx, pk, c, v)
		}
		if err != nil {
			return nil, nil // no document has such a key
		}
	}
	t, err := session.CurrentTransaction(ctx)
	if err != nil {
		return nil, err
	}
	r, err := t.StatementReader()
	if err != nil {
		return nil, err
	}
	meta, ok, err := def.Collection.Rev(r, pk)
	if err != nil || !ok || meta.Deleted {
		return nil, err
	}
	return meta.Rev.String(), nil
}

// SplitTableName splits a name of a table as [statement.SplitTableName] does.
func SplitTableName(name string) (database, table string, ok bool) {
	return statement.SplitTableName(name)
}
