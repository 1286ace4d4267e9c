package enginesuite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/dolthub/go-mysql-server/enginetest/queries"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/go-sql-driver/mysql"
)

// patience is how long a statement may take.
const patience = 5 * time.Minute

// A target is a server that scripts are run on.
type target struct{ pool *sql.DB }

func newTarget(t testing.TB, addr net.Addr) target {
	t.Helper()
	pool, err := sql.Open("mysql", "root@tcp("+addr.String()+")/?interpolateParams=true")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = pool.Close() })
	pool.SetMaxIdleConns(0)
	return target{pool}
}

// clean leaves nothing but an empty database mydb.
func (g target) clean() error {
	conn, err := g.pool.Conn(context.Background())
	if err != nil {
		return err
	}
	defer conn.Close()
	rows, err := texts(conn, "SHOW DATABASES")
	if err != nil {
		return err
	}
	for _, row := range rows.cells {
		switch name := row[0].String; name {
		case "information_schema", "mysql", "performance_schema", "sys", "sqlfdb":
		default:
			if _, err := conn.ExecContext(context.Background(), "DROP DATABASE `"+name+"`"); err != nil {
				return err
			}
		}
	}
	_, err = conn.ExecContext(context.Background(), "CREATE DATABASE mydb")
	return err
}

// An outcome is what became of an assertion; why is empty if it passed.
type outcome struct {
	key, why string
}

// A result is what became of a script: its assertions and how many were not reached behind a set-up that fails.
type result struct {
	outcomes []outcome
	blocked  int
}

var (
	client = regexp.MustCompile(`^/\* client (\w+)`)
	spaces = regexp.MustCompile(`\s+`)
	issues = regexp.MustCompile(`(?i)\bissue `) // of another project: their numbers say nothing here
)

func short(text string, most int) string {
	text = issues.ReplaceAllString(strings.TrimSpace(spaces.ReplaceAllString(text, " ")), "case ")
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}

// run runs one script on sessions of its own.
func (g target) run(name string, set []string, script queries.ScriptTest) (r result) {
	sessions := map[string]*sql.Conn{}
	defer func() {
		for _, c := range sessions {
			_ = c.Close()
		}
	}()
	session := func(name string) (*sql.Conn, error) {
		if sessions[name] == nil {
			c, err := g.pool.Conn(context.Background())
			if err != nil {
				return nil, err
			}
			if _, err := c.ExecContext(context.Background(), "USE mydb"); err != nil {
				return nil, err
			}
			sessions[name] = c
		}
		return sessions[name], nil
	}
	taken := map[string]int{}
	note := func(query, why string) {
		key := name + " / " + short(query, 100)
		if taken[key]++; taken[key] > 1 {
			key = fmt.Sprintf("%s (%d)", key, taken[key])
		}
		r.outcomes = append(r.outcomes, outcome{key, why})
	}
	asked := assertions(script)
	for i, statement := range append(slices.Clip(set), script.SetUpScript...) {
		c, err := session("")
		if err == nil {
			_, err = texts(c, statement)
		}
		// A suite's own tables are for many scripts: what lacks one shows itself.
		if err != nil && i >= len(set) {
			note("set-up: "+statement, err.Error())
			r.blocked = len(asked) - 1
			return r
		}
	}
	for _, a := range asked {
		if a.Skip || a.Query == "" || len(a.Bindings) > 0 || a.Dialect != "" && a.Dialect != "mysql" {
			continue
		}
		who := ""
		if found := client.FindStringSubmatch(a.Query); found != nil {
			who = found[1]
		}
		if a.NewSession && sessions[who] != nil {
			_ = sessions[who].Close()
			delete(sessions, who)
		}
		c, err := session(who)
		if err != nil {
			note(a.Query, err.Error())
			continue
		}
		note(a.Query, judge(c, a))
		if c.PingContext(context.Background()) != nil {
			_ = c.Close()
			delete(sessions, who)
		}
	}
	return r
}

// judge asks an assertion's query, and tells what is wrong with the answer.
func judge(c *sql.Conn, a queries.ScriptTestAssertion) string {
	fails := a.ExpectedErr != nil || a.ExpectedErrStr != ""
	if len(a.Expected) == 1 && types.IsOkResult(a.Expected[0]) && !fails {
		return judgeWrite(c, a)
	}
	got, err := texts(c, a.Query)
	var numbered *mysql.MySQLError
	switch {
	case fails && err == nil:
		return fmt.Sprintf("no error, but %s", short(got.String(), 100))
	case fails && !errors.As(err, &numbered):
		return fmt.Sprintf("an error of no number: %v", err)
	case fails:
		return ""
	case err != nil:
		return err.Error()
	}
	if a.ExpectedWarning != 0 {
		warnings, err := texts(c, "SHOW WARNINGS")
		if err != nil {
			return err.Error()
		}
		number := fmt.Sprint(a.ExpectedWarning)
		if !slices.ContainsFunc(warnings.cells, func(w []sql.NullString) bool { return w[1].String == number }) {
			return fmt.Sprintf("no warning %s, but %s", number, warnings)
		}
	}
	if a.SkipResultsCheck || a.SkipResultCheckOnServerEngine || a.Expected == nil {
		return ""
	}
	return got.differ(a.Expected, strings.Contains(strings.ToLower(a.Query), "order by"))
}

// judgeWrite does so for a statement that tells how many rows it changed.
func judgeWrite(c *sql.Conn, a queries.ScriptTestAssertion) string {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	done, err := c.ExecContext(ctx, a.Query)
	if err != nil {
		return err.Error()
	}
	want := a.Expected[0][0].(types.OkResult)
	if n, _ := done.RowsAffected(); uint64(n) != want.RowsAffected {
		return fmt.Sprintf("%d rows affected, want %d", n, want.RowsAffected)
	}
	if id, _ := done.LastInsertId(); want.InsertID != 0 && uint64(id) != want.InsertID {
		return fmt.Sprintf("last insert id %d, want %d", id, want.InsertID)
	}
	return ""
}

// texts runs a statement, and reads its rows as texts.
func texts(c *sql.Conn, statement string) (table, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	rows, err := c.QueryContext(ctx, statement)
	if err != nil {
		return table{}, err
	}
	defer rows.Close()
	columns, err := rows.ColumnTypes()
	if err != nil {
		return table{}, err
	}
	var got table
	for _, column := range columns {
		got.kinds = append(got.kinds, column.DatabaseTypeName())
	}
	for rows.Next() {
		row, places := make([]sql.NullString, len(columns)), make([]any, len(columns))
		for i := range row {
			places[i] = &row[i]
		}
		if err := rows.Scan(places...); err != nil {
			return table{}, err
		}
		got.cells = append(got.cells, row)
	}
	return got, rows.Err()
}
