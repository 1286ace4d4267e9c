package server

import (
	"context"
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/mysql"
	"github.com/dolthub/vitess/go/sqltypes"
	querypb "github.com/dolthub/vitess/go/vt/proto/query"

	"github.com/sqlfdb/sqlfdb/backup"
	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/keyspace"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
)

// backupStatement is BACKUP STORE [SINCE 'position'] [RATE bytes].
var backupStatement = regexp.MustCompile(
	`(?is)^\s*BACKUP\s+STORE(?:\s+SINCE\s+'((?:[^'\\]|'')*)')?(?:\s+RATE\s+(\d{1,18}))?\s*;?\s*$`)

// beginsBackup excludes nearly every other statement in no time.
func beginsBackup(query string) bool {
	query = strings.TrimLeft(query, " \t\r\n")
	return len(query) > 6 && strings.EqualFold(query[:6], "BACKUP")
}

// backupRequest is a parsed statement that asks for a copy of the store.
type backupRequest struct {
	since *backup.Position
	rate  int64
}

// parseBackup reads a statement that asks for a copy of the store; ok is false for all others.
func parseBackup(query string) (r backupRequest, ok bool, err error) {
	if !beginsBackup(query) {
		return r, false, nil
	}
	m := backupStatement.FindStringSubmatch(query)
	if m == nil {
		return r, false, nil
	}
	if m[1] != "" {
		r.since = &backup.Position{}
		if err := json.Unmarshal([]byte(strings.ReplaceAll(m[1], "''", "'")), r.since); err != nil {
			return r, true, mysql.NewSQLError(mysql.ERUnknownError, mysql.SSUnknownSQLState,
				"BACKUP STORE SINCE: not the position of a copy: %v", err)
		}
	}
	if m[2] != "" {
		r.rate, err = strconv.ParseInt(m[2], 10, 64)
	}
	return r, true, err
}

// backUp sends a copy of the store as rows. Each has the store's estimated bytes, the numbers of keys and bytes
// copied so far, and the next part of the file.
func (h *handler) backUp(ctx *sql.Context, c *mysql.Conn, r backupRequest, send mysql.ResultSpoolFn) error {
	if err := h.backend.MayBackUp(c.ConnectionID); err != nil {
		return err
	}
	if h.backend.Bucket != "" {
		return mysqlerr.Unsupported("a copy of a store in a bucket: copy the bucket, %s", h.backend.Bucket)
	}
	cat := h.backend.Catalog()
	if _, err := catalog.EnsureStoreID(ctx, cat.Store()); err != nil {
		return err
	}
	rows := &backupRows{send: send}
	if r.since == nil {
		var err error
		if rows.total, err = estimate(ctx, cat.Store()); err != nil {
			return err
		}
	}
	header := backup.Header{Made: time.Now().UTC().Truncate(time.Second), Program: h.version}
	_, err := backup.Write(ctx, cat.Store(), rows, header, &rows.progress, backup.Options{Since: r.since, Rate: r.rate,
		Step: h.copyStep, Open: h.backend.OpenCollection})
	if err != nil && ctx.Err() == nil {
		err = mysql.NewSQLError(mysql.ERUnknownError, mysql.SSUnknownSQLState, "%v", err)
	}
	return err
}

// estimate is about how many bytes a store has.
func estimate(ctx context.Context, store kv.Store) (int64, error) {
	tx, err := store.Begin(ctx, kv.TransactionOptions{NoReadYourWrites: true})
	if err != nil {
		return 0, err
	}
	defer tx.Cancel()
	return tx.Snapshot().EstimateSize(keyspace.Root()).Get()
}

// backupRows makes a row of each part of a file.
type backupRows struct {
	send     mysql.ResultSpoolFn
	total    int64
	progress backup.Progress
}

// Write implements io.Writer.
func (b *backupRows) Write(part []byte) (int, error) {
	field := func(name string, t querypb.Type) *querypb.Field {
		return &querypb.Field{Name: name, OrgName: name, Type: t, Charset: uint32(sql.Collation_binary),
			ColumnLength: 1 << 30}
	}
	number := func(n int64) sqltypes.Value { return sqltypes.NewInt64(n) }
	err := b.send(&sqltypes.Result{
		Fields: []*querypb.Field{field("total", sqltypes.Int64), field("keys", sqltypes.Int64),
			field("bytes", sqltypes.Int64), field("part", sqltypes.Blob)},
		Rows: [][]sqltypes.Value{{number(b.total), number(b.progress.Keys.Load()), number(b.progress.Bytes.Load()),
			sqltypes.MakeTrusted(sqltypes.Blob, append([]byte(nil), part...))}},
		RowsAffected: 1,
	}, false)
	if err != nil {
		return 0, err
	}
	return len(part), nil
}
