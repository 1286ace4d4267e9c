package server

import (
	"strings"

	"github.com/sirupsen/logrus"

	"github.com/sqlfdb/sqlfdb/sqlbackend"
	"github.com/sqlfdb/sqlfdb/sqlbackend/accounts"
)

// loggedStatement is how many characters of a statement the log of slow
// statements shows.
const loggedStatement = 1000

// logSlow writes the statement that a session has just run into the log of slow
// statements, with its figures, if it belongs there.
func (h *handler) logSlow(s *sqlbackend.Client, query string) {
	figures, slow := s.SlowStatement()
	if !slow {
		return
	}
	fields := logrus.Fields{"connection": s.ID(), "user": s.Client().User, "database": s.GetCurrentDatabase(),
		"statement": cut(accounts.Discreet(query))}
	for i := 0; i+1 < len(figures); i += 2 {
		fields[figures[i]] = figures[i+1]
	}
	h.log.WithFields(fields).Warn("slow statement")
}

// cut is the beginning of a statement.
func cut(query string) string {
	query = strings.ToValidUTF8(query, "\uFFFD")
	n := 0
	for i := range query {
		if n++; n > loggedStatement {
			return query[:i] + "…"
		}
	}
	return query
}
