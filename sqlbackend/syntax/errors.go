package syntax

import (
	"errors"
	"strings"

	"github.com/dolthub/vitess/go/mysql"

	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
)

// FinishStatement is FinishError for an error of a whole statement: some of MySQL's numbers depend on the kind of
// statement.
func FinishStatement(query string, err error) error {
	err = mysqlerr.FinishError(err)
	var e *mysql.SQLError
	if !errors.As(err, &e) {
		return err
	}
	if better := unquotedKeypath(query, e); better != nil {
		return better
	}
	if e.Num == mysql.ERParseError {
		if meant := statement.Elsewhere(query); meant != "" {
			return mysql.NewSQLError(e.Num, e.State, "%s; %s", e.Message, meant)
		}
	}
	words := strings.Fields(query[:min(len(query), 64)])
	for len(words) < 2 {
		words = append(words, "")
	}
	verb, object := strings.ToUpper(words[0]), strings.ToUpper(words[1])
	text := e.Message
	switch {
	case verb == "DROP" && (object == "DATABASE" || object == "SCHEMA") && e.Num == mysql.ERBadDb:
		return mysql.NewSQLError(1008, "HY000", "Can't drop database; database doesn't exist (%s)", text)
	case verb == "DROP" && object == "TABLE" && e.Num == mysql.ERNoSuchTable:
		return mysql.NewSQLError(1051, "42S02", "Unknown table (%s)", text)
	case verb == "SET" && e.Num == mysql.ERBadFieldError && strings.HasPrefix(text, "column \""):
		return mysql.NewSQLError(1193, "HY000", "Unknown system variable (%s)", text)
	}
	return err
}
