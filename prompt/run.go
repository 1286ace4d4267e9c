package prompt

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
)

// together is how many rows are held to find the widths of columns.
const together = 1_000

// run runs one statement and shows its result.
func (s *shell) run(ctx context.Context, p piece) error {
	if s.session == nil {
		return sql.ErrConnDone
	}
	watched := s.watch()
	defer watched.end()
	if !asks(p.text) {
		result, err := s.session.ExecContext(ctx, p.text)
		watched.end()
		if err != nil {
			return err
		}
		if firstWord(p.text) == "USE" {
			s.noteDatabase(ctx)
		}
		s.names.changed(p.text)
		changed, _ := result.RowsAffected()
		return s.finish(ctx, p, changedText(p.text, changed), watched)
	}
	rows, err := s.session.QueryContext(ctx, p.text)
	if err != nil {
		return err
	}
	defer rows.Close()
	format := s.Format
	if p.vertical {
		format = Vertical
	}
	count, columns, err := s.show(rows, format, watched)
	if err != nil {
		return err
	}
	if err := rows.Close(); err != nil {
		return err
	}
	if columns == 0 {
		return s.finish(ctx, p, "Query OK", watched)
	}
	if !s.typed && !format.forPeople() {
		return s.warnings(ctx, p, s.Err)
	}
	return s.finish(ctx, p, counted(count, "row"), watched)
}

func counted(n int64, unit string) string {
	if n == 1 {
		return "1 " + unit
	}
	return fmt.Sprintf("%d %ss", n, unit)
}

// changedText are the words on the changes of a statement that gives no rows.
func changedText(text string, changed int64) string {
	switch firstWord(text) {
	case "USE":
		return "Database changed"
	case "INSERT", "UPDATE", "DELETE", "REPLACE", "LOAD", "WITH":
		return "Query OK, " + counted(changed, "row") + " affected"
	}
	return "Query OK"
}

// show shows the rows of a result, and counts them.
func (s *shell) show(rows *sql.Rows, format Format, watched *watch) (count int64, width int, err error) {
	columns, err := columnsOf(rows)
	if err != nil || len(columns) == 0 {
		for rows.Next() {
		}
		return 0, 0, errors.Join(err, rows.Err())
	}
	on := s.screen()
	var out io.Writer = s.Out
	if s.typed && s.paged {
		paged := newPager(s.Out)
		defer func() {
			err = errors.Join(err, paged.close())
			watched.read = paged.waited
		}()
		out = paged
	}
	shown := format.printer(out, on)
	values, into := make([]any, len(columns)), make([]any, len(columns))
	for i := range values {
		into[i] = &values[i]
	}
	var part [][]cell
	flush := func() error {
		watched.quiet()
		err := shown.rows(columns, part)
		part = part[:0]
		return err
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return count, len(columns), err
		}
		row := make([]cell, len(columns))
		for i, v := range values {
			row[i] = cellOf(v)
		}
		part = append(part, row)
		if count++; len(part) == together {
			if err := flush(); errors.Is(err, errPagerLeft) {
				return count, len(columns), s.leave(rows)
			} else if err != nil {
				return count, len(columns), err
			}
		}
	}
	if err := rows.Err(); err != nil {
		return count, len(columns), err
	}
	if len(part) > 0 || count == 0 {
		if err := flush(); err != nil && !errors.Is(err, errPagerLeft) {
			return count, len(columns), err
		}
	}
	watched.end()
	if err := shown.end(); err != nil && !errors.Is(err, errPagerLeft) {
		return count, len(columns), err
	}
	return count, len(columns), nil
}

// leave ends a statement whose further rows nobody wants to see.
func (s *shell) leave(rows *sql.Rows) error {
	if err := s.kill(); err != nil {
		return err
	}
	for rows.Next() {
	}
	return nil // rows.Err says that it was killed
}

// finish says how it went: the rows, the warnings, the time.
func (s *shell) finish(ctx context.Context, p piece, outcome string, watched *watch) error {
	if s.typed {
		all, err := s.listWarnings(ctx, p)
		if err != nil {
			return err
		}
		if len(all) > 0 {
			outcome += ", " + counted(int64(len(all)), "warning")
		}
		if s.timing {
			outcome += " " + watched.took()
		}
		fmt.Fprintln(s.Out, outcome)
		for _, w := range all {
			fmt.Fprintln(s.Out, w)
		}
		fmt.Fprintln(s.Out)
		return nil
	}
	if asks(p.text) && outcome != "Query OK" {
		fmt.Fprintln(s.Out, outcome)
	}
	return s.warnings(ctx, p, s.Out)
}

func (s *shell) warnings(ctx context.Context, p piece, out io.Writer) error {
	all, err := s.listWarnings(ctx, p)
	for _, w := range all {
		fmt.Fprintln(out, w)
	}
	return err
}

// listWarnings are the warnings of the statement before.
func (s *shell) listWarnings(ctx context.Context, p piece) ([]string, error) {
	if firstWord(p.text) == "SHOW" {
		return nil, nil
	}
	rows, err := s.session.QueryContext(ctx, "SHOW WARNINGS")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []string
	for rows.Next() {
		var level, code, message string
		if err := rows.Scan(&level, &code, &message); err != nil {
			return all, err
		}
		all = append(all, fmt.Sprintf("%s (%s): %s", level, code, message))
	}
	return all, rows.Err()
}
