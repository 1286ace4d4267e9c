package server

import (
	"encoding/binary"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/mysql"

	"github.com/sqlfdb/sqlfdb/sqlbackend/hold"
)

// errTooManyPrepared is MySQL's number for more prepared statements than max_prepared_stmt_count.
const errTooManyPrepared = 1461

// firstSweep is how many texts the engine keeps for a client until closed ones are looked for.
const firstSweep = 256

// admitPrepared is called before a client prepares one more statement, which is among its statements already. It
// refuses more than max_prepared_stmt_count of all clients, and makes the engine forget texts of closed statements.
// By itself the engine keeps them for as long as the connection lives.
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
	s, ok := h.backend.Client(c.ConnectionID)
	if cl == nil || !ok {
		return nil
	}
	if err := cl.keepPrepared(c, s.Memory()); err != nil {
		return err
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

// keepPrepared counts the texts of a client's prepared statements, once they may have grown by much.
func (cl *client) keepPrepared(c *mysql.Conn, memory *hold.Budget) error {
	cl.grown += int64(len(c.PrepareData[c.StatementID].PrepareStmt))
	if cl.grown < hold.LongText && len(c.PrepareData) > cl.counted/2 {
		return nil
	}
	cl.grown, cl.counted = 0, len(c.PrepareData)
	var bytes int64
	for _, p := range c.PrepareData {
		bytes += int64(len(p.PrepareStmt))
	}
	return memory.KeepPrepared(bytes)
}

// sentAhead is how much of parameters has been sent ahead of the statements that they are for, which keep it until they
// are executed, reset or closed.
type sentAhead struct {
	bytes map[uint32]*int64 // by statement
	all   int64
	now   *int64 // of the statement that the current command sends for; nil: it sends none
}

func (s *sentAhead) of(statement uint32) {
	if s.bytes == nil {
		s.bytes = map[uint32]*int64{}
	}
	if s.now = s.bytes[statement]; s.now == nil {
		s.now = new(int64)
		s.bytes[statement] = s.now
	}
}

func (s *sentAhead) add(bytes int64) {
	*s.now += bytes
	s.all += bytes
}

func (s *sentAhead) forget(statement uint32) {
	if n := s.bytes[statement]; n != nil {
		s.all -= *n
		delete(s.bytes, statement)
	}
}

// statement is the number of the prepared statement that the next command is about.
func (c *commandConn) statement() uint32 {
	const number = packetHeader + 1
	head, err := c.in.Peek(min(number+4, c.left))
	if err != nil || len(head) < number+4 {
		return 0
	}
	return binary.LittleEndian.Uint32(head[number:])
}
