package transfer

import (
	"context"
	"database/sql"
	"encoding/base64"
	"errors"
	"fmt"
	"math/big"
	"strings"
	"unicode/utf8"

	"github.com/go-sql-driver/mysql"

	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/tables"
)

// ExportStore writes a collection's documents, in primary-key order at one
// version, and returns their number. It does not close to.
func ExportStore(ctx context.Context, c *tables.Collection, r kv.Reader, to Encoder) (int64, error) {
	rows := c.Scan(r, indexes.Everything(), tables.ScanOptions{Streaming: kv.StreamAll})
	defer rows.Close()
	var n int64
	for rows.Next() {
		if err := ctx.Err(); err != nil {
			return n, err
		}
		if err := to.Write(rows.Document()); err != nil {
			return n, fmt.Errorf("transfer: write: %w", err)
		}
		n++
	}
	return n, rows.Err()
}

// ExportServer writes a table's documents, read through a server, and returns their number and at how many versions
// they were read. That is one, unless the store can't keep one for so long. Then each document is as it was at one of
// them. The rows of a table with declared columns alone are documents of these. It does not close to.
func ExportServer(ctx context.Context, db *sql.DB, database, table string, to Encoder) (documents,
	versions int64, err error) {
	name := QuoteName(database) + "." + QuoteName(table)
	documents, versions, err = ExportQuery(ctx, db, "SELECT _doc FROM "+name, to)
	var answer *mysql.MySQLError
	if errors.As(err, &answer) && answer.Number == errNoColumn {
		return exportRows(ctx, db, "SELECT * FROM "+name, to, appendStored)
	}
	return documents, versions, err
}

// ExportQuery writes the rows of a query as documents, of which each column is a key; rows of _doc alone are the
// documents in it. Its results are the same as ExportServer's.
func ExportQuery(ctx context.Context, db *sql.DB, query string, to Encoder) (documents, versions int64, err error) {
	return exportRows(ctx, db, query, to, appendCell)
}

// appender appends a value by its type in SQL.
type appender func(dst []byte, of string, text sql.RawBytes) ([]byte, error)

func exportRows(ctx context.Context, db *sql.DB, query string, to Encoder, each appender) (documents, versions int64,
	err error) {
	conn, err := db.Conn(ctx)
	if err != nil {
		return 0, 0, fmt.Errorf("transfer: connect: %w", err)
	}
	defer conn.Close()
	// A server that does not know this variable fails with an error when the time of its read version is over.
	_, _ = conn.ExecContext(ctx, "SET sqlfdb_long_reads = 'hold'")
	rows, err := conn.QueryContext(ctx, query)
	if err != nil {
		return 0, 0, fmt.Errorf("transfer: %s: %w", query, err)
	}
	defer rows.Close()
	columns, err := rows.ColumnTypes()
	if err != nil {
		return 0, 0, fmt.Errorf("transfer: %s: %w", query, err)
	}
	texts := make([]sql.RawBytes, len(columns))
	into := make([]any, len(columns))
	for i := range texts {
		into[i] = &texts[i]
	}
	var out []byte
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return documents, 0, fmt.Errorf("transfer: read row %d: %w", documents+1, err)
		}
		if len(columns) == 1 && columns[0].Name() == "_doc" {
			out = append(out[:0], texts[0]...)
		} else if out, err = appendRow(out[:0], columns, texts, each); err != nil {
			return documents, 0, fmt.Errorf("transfer: row %d: %w", documents+1, err)
		}
		d, err := document.Parse(out, document.Limits{})
		if err != nil {
			return documents, 0, fmt.Errorf("transfer: row %d: %w", documents+1, err)
		}
		if err := to.Write(d); err != nil {
			return documents, 0, fmt.Errorf("transfer: write: %w", err)
		}
		documents++
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		return documents, 0, fmt.Errorf("transfer: read: %w", err)
	}
	var name string
	if err := conn.QueryRowContext(ctx, "SHOW STATUS LIKE 'sqlfdb_last_read_versions'").Scan(&name,
		&versions); err != nil {
		return documents, 0, nil // the server does not say
	}
	return documents, versions, nil
}

// appendRow appends a row as an object.
func appendRow(dst []byte, columns []*sql.ColumnType, texts []sql.RawBytes, each appender) (out []byte, err error) {
	dst = append(dst, '{')
	for i, c := range columns {
		if i > 0 {
			dst = append(dst, ',')
		}
		if dst, err = document.AppendQuoted(dst, c.Name()); err != nil {
			return dst, err
		}
		if dst, err = each(append(dst, ':'), c.DatabaseTypeName(), texts[i]); err != nil {
			return dst, fmt.Errorf("column %s: %w", c.Name(), err)
		}
	}
	return append(dst, '}'), nil
}

// appendCell appends a value by its type in SQL: numbers with their digits, JSON as it is, the rest as text. Bytes that
// are no text are in base64.
func appendCell(dst []byte, of string, text sql.RawBytes) ([]byte, error) {
	if text == nil {
		return append(dst, "null"...), nil
	}
	switch of {
	case "JSON":
		v, err := document.ParseValue(text, document.Limits{})
		return append(dst, v.Raw()...), err
	case "TINYINT", "SMALLINT", "MEDIUMINT", "INT", "BIGINT", "UNSIGNED TINYINT", "UNSIGNED SMALLINT",
		"UNSIGNED MEDIUMINT",
		"UNSIGNED INT", "UNSIGNED BIGINT", "DECIMAL", "FLOAT", "DOUBLE":
		if v, err := document.NumberValue(string(text)); err == nil {
			return append(dst, v.Raw()...), nil
		}
	}
	if !utf8.Valid(text) {
		return append(base64.StdEncoding.AppendEncode(append(dst, '"'), text), '"'), nil
	}
	return document.AppendQuoted(dst, string(text))
}

// appendStored appends a value of a table's column as documents hold it, so that an import reads it back: byte strings
// are all in base64, BIT is a number.
func appendStored(dst []byte, of string, text sql.RawBytes) ([]byte, error) {
	switch {
	case text == nil:
	case of == "BINARY", of == "VARBINARY", strings.HasSuffix(of, "BLOB"):
		return append(base64.StdEncoding.AppendEncode(append(dst, '"'), text), '"'), nil
	case of == "BIT":
		return new(big.Int).SetBytes(text).Append(dst, 10), nil
	}
	return appendCell(dst, of, text)
}
