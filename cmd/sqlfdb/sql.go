package main

import (
	"bufio"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/go-sql-driver/mysql"
	"github.com/spf13/cobra"
)

func newSQL() *cobra.Command {
	var dsn, execute string
	cmd := &cobra.Command{
		Use:   "sql [--dsn DSN] [-e STATEMENT]",
		Short: "Run statements on a server: those of -e, or of standard input",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			db, err := openDSN(dsn)
			if err != nil {
				return err
			}
			err = runSQL(cmd, db, execute)
			return errors.Join(err, db.Close())
		},
	}
	cmd.Flags().StringVar(&dsn, "dsn", defaultDSN, "the running server")
	cmd.Flags().StringVarP(&execute, "execute", "e", "", "statements to run, separated by semicolons")
	return cmd
}

func runSQL(cmd *cobra.Command, db *sql.DB, execute string) error {
	ctx := cmd.Context()
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	c := &client{conn: conn, out: cmd.OutOrStdout()}
	if execute != "" {
		return c.runAll(ctx, strings.NewReader(execute), cmd.ErrOrStderr(), clientOptions{})
	}
	in := cmd.InOrStdin()
	prompt := false
	if f, ok := in.(*os.File); ok {
		info, err := f.Stat()
		prompt = err == nil && info.Mode()&os.ModeCharDevice != 0
	}
	return c.runAll(ctx, in, cmd.ErrOrStderr(), clientOptions{prompt: prompt, timing: prompt})
}

type clientOptions struct {
	prompt bool // a person types: ask, and go on after an error
	timing bool
}

// client runs statements on one connection and prints what comes back.
type client struct {
	conn *sql.Conn
	out  io.Writer
}

func (c *client) runAll(ctx context.Context, in io.Reader, errOut io.Writer, opts clientOptions) error {
	lines := bufio.NewReader(in)
	var pending strings.Builder
	if opts.prompt {
		fmt.Fprintln(c.out, "Statements end with a semicolon. Ctrl-D leaves.")
	}
	for {
		if opts.prompt {
			if pending.Len() == 0 {
				fmt.Fprint(c.out, "sqlfdb> ")
			} else {
				fmt.Fprint(c.out, "     -> ")
			}
		}
		line, readErr := lines.ReadString('\n')
		pending.WriteString(line)
		statements, rest := splitStatements(pending.String())
		if readErr == io.EOF && strings.TrimSpace(rest) != "" {
			statements, rest = append(statements, rest), ""
		}
		pending.Reset()
		if strings.TrimSpace(rest) != "" {
			pending.WriteString(rest)
		}
		for _, s := range statements {
			err := c.run(ctx, s, opts)
			if err == nil {
				continue
			}
			fmt.Fprintln(errOut, describe(err))
			if !opts.prompt {
				return errReported
			}
		}
		if readErr == io.EOF {
			return nil
		}
		if readErr != nil {
			return readErr
		}
	}
}

// describe words an error as MySQL's clients do.
func describe(err error) string {
	var answer *mysql.MySQLError
	if errors.As(err, &answer) {
		return fmt.Sprintf("ERROR %d (%s): %s", answer.Number, answer.SQLState[:], answer.Message)
	}
	return "ERROR: " + err.Error()
}

// splitStatements cuts complete statements off the text: those that a
// semicolon outside of quotes and comments ends.
func splitStatements(text string) (statements []string, rest string) {
	start := 0
	var quote byte
	for i := 0; i < len(text); i++ {
		ch := text[i]
		switch {
		case quote != 0:
			if ch == '\\' && quote != '`' {
				i++
			} else if ch == quote {
				quote = 0
			}
		case ch == '\'' || ch == '"' || ch == '`':
			quote = ch
		case ch == '#' || ch == '-' && strings.HasPrefix(text[i:], "-- "):
			end := strings.IndexByte(text[i:], '\n')
			if end < 0 {
				return statements, text[start:]
			}
			i += end
		case strings.HasPrefix(text[i:], "/*"):
			end := strings.Index(text[i+2:], "*/")
			if end < 0 {
				return statements, text[start:]
			}
			i += end + 3
		case ch == ';':
			if s := strings.TrimSpace(text[start:i]); s != "" {
				statements = append(statements, s)
			}
			start = i + 1
		}
	}
	return statements, text[start:]
}

func (c *client) run(ctx context.Context, statement string, opts clientOptions) error {
	began := time.Now()
	rows, err := c.conn.QueryContext(ctx, statement)
	if err != nil {
		return err
	}
	defer rows.Close()
	names, err := rows.Columns()
	if err != nil {
		return err
	}
	if len(names) == 0 {
		for rows.Next() {
		}
		if err := rows.Err(); err != nil {
			return err
		}
		return c.finish(ctx, statement, began, opts)
	}
	table := [][]string{names}
	for rows.Next() {
		values := make([]sql.NullString, len(names))
		into := make([]any, len(names))
		for i := range values {
			into[i] = &values[i]
		}
		if err := rows.Scan(into...); err != nil {
			return err
		}
		row := make([]string, len(names))
		for i, v := range values {
			if row[i] = v.String; !v.Valid {
				row[i] = "NULL"
			}
		}
		table = append(table, row)
		if len(table) > maxPrinted {
			c.print(table)
			table = table[:1]
		}
	}
	if err := rows.Err(); err != nil {
		return err
	}
	c.print(table)
	return c.finish(ctx, statement, began, opts)
}

// maxPrinted is how many rows are held to find the widths of columns.
const maxPrinted = 1_000

// finish says how it went: the rows changed, the warnings, the time.
func (c *client) finish(ctx context.Context, statement string, began time.Time, opts clientOptions) error {
	took := time.Since(began)
	if !strings.HasPrefix(strings.ToUpper(statement), "SHOW") {
		if err := c.warnings(ctx); err != nil {
			return err
		}
	}
	if opts.timing {
		fmt.Fprintf(c.out, "(%.3f s)\n\n", took.Seconds())
	}
	return nil
}

func (c *client) warnings(ctx context.Context) error {
	rows, err := c.conn.QueryContext(ctx, "SHOW WARNINGS")
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var level, code, message string
		if err := rows.Scan(&level, &code, &message); err != nil {
			return err
		}
		fmt.Fprintf(c.out, "%s (%s): %s\n", level, code, message)
	}
	return rows.Err()
}

// print draws rows, the first of them the names of the columns, as a table. A
// single column that holds lines is printed as it is.
func (c *client) print(table [][]string) {
	if len(table) > 1 && len(table[0]) == 1 {
		for _, row := range table[1:] {
			if strings.Contains(row[0], "\n") || strings.Contains(table[0][0], "plan") {
				for _, row := range table[1:] {
					fmt.Fprintln(c.out, row[0])
				}
				return
			}
		}
	}
	widths := make([]int, len(table[0]))
	for _, row := range table {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	var rule strings.Builder
	for _, w := range widths {
		rule.WriteString("+" + strings.Repeat("-", w+2))
	}
	rule.WriteString("+")
	fmt.Fprintln(c.out, rule.String())
	for n, row := range table {
		for i, cell := range row {
			fmt.Fprintf(c.out, "| %s%s ", cell, strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell)))
		}
		fmt.Fprintln(c.out, "|")
		if n == 0 {
			fmt.Fprintln(c.out, rule.String())
		}
	}
	if len(table) > 1 {
		fmt.Fprintln(c.out, rule.String())
	}
	unit := "rows"
	if len(table) == 2 {
		unit = "row"
	}
	fmt.Fprintf(c.out, "%d %s\n", len(table)-1, unit)
}
