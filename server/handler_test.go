package server

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/dolthub/vitess/go/mysql"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/kv/pebblekv"
	"github.com/sqlfdb/sqlfdb/sqlbackend"
)

// panicking is a handler whose commands panic.
type panicking struct{ mysql.Handler }

func (panicking) ComInitDB(*mysql.Conn, string) error { panic("on purpose") }

func TestPanicIsAnError(t *testing.T) {
	store, err := pebblekv.Open(t.TempDir(), pebblekv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	cat, err := catalog.Open(context.Background(), store)
	if err != nil {
		t.Fatal(err)
	}
	backend, err := sqlbackend.NewEngine(store, cat, sqlbackend.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer backend.Close()
	var log bytes.Buffer
	to, err := NewLog(&log, LogText, "")
	if err != nil {
		t.Fatal(err)
	}
	h := newHandler(panicking{}, backend, to)
	err = h.ComInitDB(&mysql.Conn{}, "d")
	var e *mysql.SQLError
	if !errors.As(err, &e) || e.Num != 1105 {
		t.Errorf("the error is %v", err)
	}
	if !strings.Contains(log.String(), "on purpose") {
		t.Errorf("the log says %q", log.String())
	}
	if h.running != 0 {
		t.Errorf("%d commands are running", h.running)
	}
}
