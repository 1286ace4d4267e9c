package server

import (
	"io"
	"time"

	"github.com/sirupsen/logrus"
)

// sparingLog writes a few of the lines that come many times a second, and how many it has left out: the engine's
// protocol logs a line for each broken connection. Its writer takes one line at a time, as logrus does.
type sparingLog struct {
	to    io.Writer
	log   *logrus.Logger // gets how many were left out
	began time.Time      // of the pause that the lines are counted in
	lines int
}

// sparingLines are the lines that are written in each logPause.
const sparingLines = 20

// Write implements io.Writer.
func (l *sparingLog) Write(line []byte) (int, error) {
	if len(line) == 0 {
		return 0, nil // a line that is not for this log
	}
	if time.Since(l.began) > logPause {
		if left := l.lines - sparingLines; left > 0 {
			l.log.Warnf("%d more lines like these", left)
		}
		l.began, l.lines = time.Now(), 0
	}
	if l.lines++; l.lines > sparingLines {
		return len(line), nil
	}
	return l.to.Write(line)
}
