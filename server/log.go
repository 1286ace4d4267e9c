package server

import (
	"fmt"
	"io"
	"strings"

	"github.com/sirupsen/logrus"
)

// The ways in which a log is written.
const (
	LogText = "text"
	LogJSON = "json"
)

// LogLevels are the names of the levels, from the least verbose one.
var LogLevels = []string{"error", "warning", "info", "debug"}

// NewLog writes lines with a time, a level and fields. An empty format is text, and an empty level is info.
func NewLog(w io.Writer, format, level string) (*logrus.Logger, error) {
	l := logrus.New()
	l.SetOutput(w)
	switch format {
	case LogText, "":
		l.SetFormatter(&logrus.TextFormatter{DisableColors: true, FullTimestamp: true})
	case LogJSON:
		l.SetFormatter(&logrus.JSONFormatter{})
	default:
		return nil, fmt.Errorf("the format of the log is %s or %s, not %q", LogText, LogJSON, format)
	}
	if level == "" {
		return l, nil
	}
	for _, name := range LogLevels {
		if level == name {
			parsed, err := logrus.ParseLevel(level)
			l.SetLevel(parsed)
			return l, err
		}
	}
	return nil, fmt.Errorf("the level of the log is one of %s, not %q", strings.Join(LogLevels, ", "), level)
}

// engineTalk writes the log of the engine and of its protocol. Except for panics, the errors in it are the clients'
// doing: broken connections, and statements that fail. Clients get these errors themselves, so the log is for
// debugging.
type engineTalk struct {
	logrus.Formatter
	level logrus.Level // of our log
}

// Format implements logrus.Formatter.
func (f engineTalk) Format(e *logrus.Entry) ([]byte, error) {
	if strings.Contains(e.Message, "panic") {
		return f.Formatter.Format(e)
	}
	if f.level < logrus.DebugLevel {
		return nil, nil
	}
	debug := *e
	debug.Level = max(e.Level, logrus.DebugLevel)
	return f.Formatter.Format(&debug)
}

// takeEngineLog makes the engine's log, which is the process's own, a part of ours.
func takeEngineLog(log *logrus.Logger) {
	level := logrus.ErrorLevel
	if log.Level >= logrus.DebugLevel {
		level = log.Level
	}
	logrus.SetLevel(level)
	logrus.SetFormatter(engineTalk{log.Formatter, log.Level})
	logrus.SetOutput(&sparingLog{to: log.Out, log: log})
}

// sparing is a copy of a log that leaves out lines that come too often.
func sparing(log *logrus.Logger) *logrus.Logger {
	return &logrus.Logger{Out: &sparingLog{to: log.Out, log: log}, Formatter: log.Formatter, Level: log.Level,
		Hooks: make(logrus.LevelHooks), ExitFunc: log.ExitFunc}
}
