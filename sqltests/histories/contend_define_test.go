package histories

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"
)

// A definer is a contender that changes definitions while the others read and write.
type definer struct {
	t          testing.TB
	random     *rand.Rand
	statements []string // with a number from 0 to 2 each
	tried      int
	done       int
}

// What a change may be told that another has made unnecessary, or impossible, such as an index over what is TEXT now.
var definedAlready = []uint16{1060, 1061, 1091, 1054, 1072, 1170}

// transact implements contender.
func (d *definer) transact(conn *sql.Conn) bool {
	if d.tried++; d.tried > 20 { // each ends the transactions that are under way
		return true
	}
	time.Sleep(time.Duration(d.random.IntN(60)) * time.Millisecond)
	statement := d.statements[d.random.IntN(len(d.statements))]
	if strings.Contains(statement, "%") {
		statement = fmt.Sprintf(statement, d.random.IntN(3))
	}
	_, err := conn.ExecContext(context.Background(), statement)
	var refused *mysql.MySQLError
	switch {
	case err == nil:
		d.done++
		return true
	case !errors.As(err, &refused):
		return false
	case !slices.Contains(definedAlready, refused.Number) && endingOf(err, true) == endingWrong:
		d.t.Errorf("%s: %v", statement, err)
	}
	return true
}
