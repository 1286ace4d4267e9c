package sqlbackend

import (
	"context"
	"errors"
	"io"
	"testing"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/kv/pebblekv"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/tables"
)

// inProcess is an engine over a store of its own with one session, whose database is d: without a client and a wire.
type inProcess struct {
	t       testing.TB
	backend *Backend
	session *session.Session
}

// inMemory are the options of a store that no disk is waited for.
func inMemory() pebblekv.Options { return pebblekv.Options{FS: pebblekv.MemoryFS()} }

// newInProcess opens the store of a directory until the test ends.
func newInProcess(t testing.TB, dir string, opts pebblekv.Options) *inProcess {
	t.Helper()
	store, err := pebblekv.Open(dir, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	cat, err := catalog.Open(context.Background(), store)
	if err != nil {
		t.Fatal(err)
	}
	backend, err := NewEngine(store, cat, Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { backend.Close() })
	p := &inProcess{t: t, backend: backend, session: session.New(backend.Instance, sql.NewBaseSession())}
	p.run("CREATE DATABASE IF NOT EXISTS d")
	p.session.SetCurrentDatabase("d")
	return p
}

// command does what a command of the session needs around it.
func (p *inProcess) command(run func(*sql.Context) error) error {
	if err := p.session.CommandBegin(); err != nil {
		return err
	}
	defer p.session.CommandEnd()
	return run(sql.NewContext(context.Background(), sql.WithSession(p.session)))
}

// each runs a statement to its end and hands over its rows.
func (p *inProcess) each(ctx *sql.Context, query string, row func(sql.Row)) error {
	_, rows, _, err := p.backend.Engine.Query(ctx, query)
	if err != nil {
		return err
	}
	for {
		r, err := rows.Next(ctx)
		if errors.Is(err, io.EOF) {
			return rows.Close(ctx)
		}
		if err != nil {
			return errors.Join(err, rows.Close(ctx))
		}
		row(r)
	}
}

// run runs a statement, which must not fail, and returns how many rows it gave and what it has read.
func (p *inProcess) run(query string) (rows int, read tables.Work) {
	p.t.Helper()
	err := p.command(func(ctx *sql.Context) error {
		err := p.each(ctx, query, func(sql.Row) { rows++ })
		read = p.session.Work.Running.Work
		return err
	})
	if err != nil {
		p.t.Fatalf("%.200s: %v", query, err)
	}
	return rows, read
}
