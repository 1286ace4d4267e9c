package server

import (
	"fmt"
	"io"
	"sync/atomic"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/mysql"
)

// Commands of MySQL's protocol that its implementation does not know, and that mysqladmin sends.
const (
	comRefresh    = 0x07 // reload, flush-logs of old: there is nothing to be read again
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

// count adds bytes of a connection to its number and to the server's.
func count(own *atomic.Uint64, name string, bytes int) {
	if bytes > 0 {
		own.Add(uint64(bytes))
		sql.StatusVariables.IncrementGlobal(name, bytes)
	}
}

// traffic is how many bytes a connection has received and sent.
func (h *handler) traffic(connection uint32) (received, sent uint64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if cl := h.clients[connection]; cl != nil && cl.wire != nil {
		return cl.wire.received.Load(), cl.wire.written.Load()
	}
	return 0, 0
}

// noteUptime sets the status variables that go with the clock.
func (h *handler) noteUptime() {
	for _, name := range []string{"Uptime", "Uptime_since_flush_status"} {
		_ = sql.StatusVariables.SetGlobal(name, uint64(time.Since(h.began).Seconds()))
	}
}
