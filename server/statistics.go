package server

import (
	"fmt"
	"io"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/mysql"
)

// Commands of MySQL's protocol that its implementation does not know, and that mysqladmin sends.
const (
	comRefresh    = 0x07 // reload, flush-logs of old: there is nothing to be read anew
	comStatistics = 0x09 // status
)

// statistics is the line that mysqladmin status prints.
func (a *admission) statistics() string {
	a.mu.Lock()
	threads := len(a.open)
	a.mu.Unlock()
	uptime := time.Since(a.began)
	questions := globalStatus("Questions")
	return fmt.Sprintf("Uptime: %d  Threads: %d  Questions: %d  Slow queries: %d  Opens: 0  Open tables: 0  "+
		"Queries per second avg: %.3f", int64(uptime.Seconds()), threads, questions, globalStatus("Slow_queries"),
		float64(questions)/max(1, uptime.Seconds()))
}

func globalStatus(name string) uint64 {
	_, v, _ := sql.StatusVariables.GetGlobal(name)
	n, _ := v.(uint64)
	return n
}

// administer answers a command that the protocol's implementation does not know, or makes one of it that it does.
func (c *commandConn) administer(command, number byte) error {
	_, err := io.CopyN(io.Discard, c.in, int64(c.left))
	c.left = 0
	if err != nil {
		return err
	}
	if command == comRefresh {
		c.out = []byte{1, 0, 0, 0, mysql.ComPing}
		return nil
	}
	text := c.admission.statistics()
	_, err = c.Write(append([]byte{byte(len(text)), byte(len(text) >> 8), 0, number + 1}, text...))
	return err
}
