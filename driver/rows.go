package driver

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"encoding/json"
	"errors"
	"io"
	"reflect"
	"strings"
	"time"

	"github.com/sqlfdb/sqlfdb/server"
)

// rows are the rows of a statement that runs beside who reads them.
type rows struct {
	ctx     context.Context // of who reads
	cancel  context.CancelFunc
	times   bool
	parts   chan server.Part // closed when the statement has ended
	err     error            // of the statement, once parts is closed
	columns []server.Column
	part    [][]any // what of a part has not been read yet
}

var (
	_ driver.Rows                           = (*rows)(nil)
	_ driver.RowsColumnTypeScanType         = (*rows)(nil)
	_ driver.RowsColumnTypeDatabaseTypeName = (*rows)(nil)
	_ driver.RowsColumnTypeNullable         = (*rows)(nil)
	_ driver.RowsColumnTypePrecisionScale   = (*rows)(nil)
)

// begin runs a statement, up to the first part of its result.
func (c *conn) begin(ctx context.Context, run func(context.Context, func(server.Part) error) error) (driver.Rows,
	error) {
	r := &rows{ctx: ctx, times: c.times, parts: make(chan server.Part, 1)}
	running, cancel := context.WithCancel(ctx)
	r.cancel = cancel
	go func() {
		defer close(r.parts)
		r.err = run(running, func(p server.Part) error {
			select {
			case r.parts <- p:
				return nil
			case <-running.Done():
				return running.Err()
			}
		})
	}()
	p, more := <-r.parts
	if !more {
		cancel()
		if r.err != nil {
			return nil, failure(ctx, r.err)
		}
	}
	r.columns, r.part = p.Columns, p.Rows
	return r, nil
}

// Columns implements driver.Rows.
func (r *rows) Columns() []string {
	names := make([]string, len(r.columns))
	for i, c := range r.columns {
		names[i] = c.Name
	}
	return names
}

// closePatience is how long a statement whose rows are not read to their end may go on: one with few rows ends by
// itself.
const closePatience = 50 * time.Millisecond

// Close implements driver.Rows. It waits until the statement has ended: the session runs one at a time.
func (r *rows) Close() error {
	defer r.cancel()
	over := time.AfterFunc(closePatience, r.cancel)
	defer over.Stop()
	for range r.parts {
	}
	r.part = nil
	return nil
}

// Next implements driver.Rows.
func (r *rows) Next(into []driver.Value) error {
	for len(r.part) == 0 {
		p, more := <-r.parts
		if !more {
			if r.err != nil {
				return failure(r.ctx, r.err)
			}
			return io.EOF
		}
		r.part = p.Rows
	}
	row := r.part[0]
	r.part = r.part[1:]
	for i, v := range row {
		into[i] = v
		if text, ok := v.(string); ok && r.times && isDate(r.columns[i].Type) {
			t, err := parseTime(text)
			if err != nil {
				return err
			}
			into[i] = t
		}
	}
	return nil
}

func isDate(name string) bool { return name == "DATE" || name == "DATETIME" || name == "TIMESTAMP" }

// parseTime reads a date or a time in UTC. MySQL's date of zeros is the zero Time.
func parseTime(text string) (time.Time, error) {
	if strings.HasPrefix(text, "0000-00-00") {
		return time.Time{}, nil
	}
	for _, layout := range []string{"2006-01-02 15:04:05.999999", time.DateOnly} {
		if t, err := time.Parse(layout, text); err == nil {
			return t, nil
		}
	}
	return time.Time{}, errors.New("sqlfdb: " + text + " is no day of the calendar: open the store with parseTime=false")
}

// ColumnTypeDatabaseTypeName implements driver.RowsColumnTypeDatabaseTypeName.
func (r *rows) ColumnTypeDatabaseTypeName(i int) string { return r.columns[i].Type }

// ColumnTypeNullable implements driver.RowsColumnTypeNullable.
func (r *rows) ColumnTypeNullable(i int) (nullable, ok bool) { return r.columns[i].Nullable, true }

// ColumnTypePrecisionScale implements driver.RowsColumnTypePrecisionScale.
func (r *rows) ColumnTypePrecisionScale(i int) (precision, scale int64, ok bool) {
	c := r.columns[i]
	if c.Type != "DECIMAL" {
		return 0, 0, false
	}
	precision = c.Length - 1 // the sign
	if c.Decimals > 0 {
		precision-- // the point
	}
	return precision, c.Decimals, true
}

// ColumnTypeScanType implements driver.RowsColumnTypeScanType.
func (r *rows) ColumnTypeScanType(i int) reflect.Type {
	c := r.columns[i]
	switch {
	case c.Type == "JSON":
		return reflect.TypeFor[json.RawMessage]()
	case isDate(c.Type) && r.times && c.Nullable:
		return reflect.TypeFor[sql.NullTime]()
	case isDate(c.Type) && r.times:
		return reflect.TypeFor[time.Time]()
	case strings.HasPrefix(c.Type, "UNSIGNED"):
		if c.Nullable {
			return reflect.TypeFor[sql.Null[uint64]]()
		}
		return reflect.TypeFor[uint64]()
	case strings.HasSuffix(c.Type, "INT"), c.Type == "YEAR":
		if c.Nullable {
			return reflect.TypeFor[sql.NullInt64]()
		}
		return reflect.TypeFor[int64]()
	case c.Type == "FLOAT", c.Type == "DOUBLE":
		if c.Nullable {
			return reflect.TypeFor[sql.NullFloat64]()
		}
		return reflect.TypeFor[float64]()
	case strings.HasSuffix(c.Type, "BLOB"), strings.HasSuffix(c.Type, "BINARY"), c.Type == "BIT":
		return reflect.TypeFor[[]byte]()
	case c.Nullable:
		return reflect.TypeFor[sql.NullString]()
	}
	return reflect.TypeFor[string]()
}
