package harness

import (
	"context"
	"database/sql"
	"strings"
)

// Text is all rows of a query, each a line.
func (r *FaultRun) Text(query string) (string, error) {
	rows, err := r.Conn.QueryContext(context.Background(), query)
	if err != nil {
		return "", err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return "", err
	}
	var lines []string
	for rows.Next() {
		values, targets := make([]sql.NullString, len(columns)), make([]any, len(columns))
		for i := range values {
			targets[i] = &values[i]
		}
		if err := rows.Scan(targets...); err != nil {
			return "", err
		}
		var texts []string
		for _, v := range values {
			if !v.Valid {
				v.String = "NULL"
			}
			texts = append(texts, v.String)
		}
		lines = append(lines, strings.Join(texts, " "))
	}
	return strings.Join(lines, "\n"), rows.Err()
}

// Must runs statements that must not fail.
func (r *FaultRun) Must(statements ...string) {
	r.T.Helper()
	MustExec(r.T, r.Conn, statements...)
}

// Is fails unless a query gives a text.
func (r *FaultRun) Is(what, query, want string) {
	r.T.Helper()
	if have, err := r.Text(query); err != nil || have != want {
		r.T.Fatalf("%s: %s: %s (%v), want %s", what, query, have, err, want)
	}
}
