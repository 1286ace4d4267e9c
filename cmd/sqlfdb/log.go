package main

import (
	"context"
	"log/slog"

	"github.com/sirupsen/logrus"

	"github.com/sqlfdb/sqlfdb/server"
)

// openLog makes the log of a command that serves.
func (f *serveFlags) openLog() (err error) {
	f.log, err = server.NewLog(f.cmd.ErrOrStderr(), f.logFormat, f.logLevel)
	return err
}

// fromSlog writes the records of a slog.Logger into a log of logrus.
type fromSlog struct {
	log  *logrus.Logger
	with logrus.Fields
}

func levelOf(l slog.Level) logrus.Level {
	switch {
	case l >= slog.LevelError:
		return logrus.ErrorLevel
	case l >= slog.LevelWarn:
		return logrus.WarnLevel
	case l >= slog.LevelInfo:
		return logrus.DebugLevel // an engine's compactions are no news
	}
	return logrus.TraceLevel
}

// Enabled implements slog.Handler.
func (h fromSlog) Enabled(_ context.Context, l slog.Level) bool {
	return h.log.IsLevelEnabled(levelOf(l))
}

// Handle implements slog.Handler.
func (h fromSlog) Handle(_ context.Context, r slog.Record) error {
	fields := h.fields()
	r.Attrs(func(a slog.Attr) bool {
		fields[a.Key] = a.Value.String()
		return true
	})
	h.log.WithTime(r.Time).WithFields(fields).Log(levelOf(r.Level), r.Message)
	return nil
}

// fields is a copy of the fields that each line has.
func (h fromSlog) fields() logrus.Fields {
	out := logrus.Fields{}
	for name, v := range h.with {
		out[name] = v
	}
	return out
}

// WithAttrs implements slog.Handler.
func (h fromSlog) WithAttrs(attrs []slog.Attr) slog.Handler {
	fields := h.fields()
	for _, a := range attrs {
		fields[a.Key] = a.Value.String()
	}
	return fromSlog{h.log, fields}
}

// WithGroup implements slog.Handler: names are as they come.
func (h fromSlog) WithGroup(string) slog.Handler { return h }
