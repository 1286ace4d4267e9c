package server

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/mysql"
)

// errTooManyPrepared is MySQL's number for more prepared statements than max_prepared_stmt_count.
const errTooManyPrepared = 1461

// firstSweep is how many texts the engine keeps for a client until closed ones are looked for.
const firstSweep = 256

// admitPrepared is called before a client prepares one more statement, which is among its statements already. It
// refuses more than max_prepared_stmt_count of all clients, and makes the engine forget texts of statements that
// are closed: by itself it keeps them for as long as the connection lives.
func (h *handler) admitPrepared(c *mysql.Conn) error {
	h.mu.Lock()
	count := 0
	for _, cl := range h.clients {
		count += cl.prepared
	}
	cl := h.clients[c.ConnectionID]
	h.mu.Unlock()
	if most := globalNumber("max_prepared_stmt_count"); int64(count) > most {
		return mysql.NewSQLError(errTooManyPrepared, "42000",
			"Can't create more than max_prepared_stmt_count statements (current value: %d)", most)
	}
	s, ok := h.backend.Session(c.ConnectionID)
	if cl == nil || !ok {
		return nil
	}
	cl.sweep = max(cl.sweep, firstSweep)
	if kept := s.KeptStatements(); kept < cl.sweep {
		return nil
	}
	open := make(map[string]bool, len(c.PrepareData))
	for _, p := range c.PrepareData {
		open[sql.RemoveSpaceAndDelimiter(p.PrepareStmt, ';')] = true
	}
	cl.sweep = 2 * s.ForgetStatements(open)
	return nil
}
