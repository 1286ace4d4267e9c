package server

import (
	"context"
	"encoding/binary"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/mysql"
	querypb "github.com/dolthub/vitess/go/vt/proto/query"

	"github.com/sqlfdb/sqlfdb/sqlbackend"
	"github.com/sqlfdb/sqlfdb/sqlbackend/hold"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/syntax"
)

// ComPrepare implements mysql.Handler.
func (h *handler) ComPrepare(ctx context.Context, c *mysql.Conn, query string,
	prepare *mysql.PrepareData) (fields []*querypb.Field, err error) {
	if wire := wireOf(c); wire != nil {
		if text := wire.prepared.Swap(nil); text != nil {
			query = *text
		}
	}
	if query, err = h.plain(c, query); err != nil {
		delete(c.PrepareData, c.StatementID)
		return nil, err
	}
	query = h.backend.Decoded(c, query)
	prepare.PrepareStmt = query
	if err := checkPlaceholders(query); err != nil {
		return nil, err
	}
	ctx, end, err := h.begin(ctx, c, query)
	if err != nil {
		return nil, err
	}
	defer end()
	defer func() {
		if err != nil {
			delete(c.PrepareData, c.StatementID) // which nobody can name
		}
	}()
	if s, ok := h.backend.Client(c.ConnectionID); ok {
		defer s.Memory().Leave()
		if err := s.Memory().EnterText(ctx, int64(len(query))); err != nil {
			return nil, mysqlerr.FinishInterrupted(syntax.FinishStatement(query, err), context.Cause(ctx))
		}
	}
	if err := h.admitPrepared(c); err != nil {
		return nil, err
	}
	err = h.guard(func() error {
		before, on, err := h.described(ctx, c, query)
		if err != nil {
			return err
		}
		if before != nil {
			fields = before.Fields
			prepareFor(query, before.Parameters, prepare)
			return nil
		}
		options, err := h.Handler.ParserOptionsForConnection(c)
		if err != nil {
			return err
		}
		if err := read(ctx, query, options, prepare); err != nil {
			return err
		}
		s, ok := h.backend.Client(c.ConnectionID)
		for {
			if fields, err = h.Handler.ComPrepare(ctx, c, query, prepare); err == nil || !ok || !s.Parsed.AliasMeant(err) {
				break
			}
		}
		if ok {
			s.Parsed.ForgetAliases()
			if err == nil {
				err = s.PreparedError(query)
			}
		}
		describe(fields, nil)
		if ok && err == nil && on != (sqlbackend.Basis{}) {
			if _, now, failure := h.described(ctx, c, query); failure == nil && now == on {
				h.backend.Remember(s, query, sqlbackend.Description{Parameters: int(prepare.ParamsCount), Fields: fields}, on)
			}
		}
		return err
	})
	err = syntax.FinishStatement(query, err)
	if s, ok := h.backend.Client(c.ConnectionID); ok && err != nil {
		err = s.NameMissing(err)
	}
	return fields, err
}

// described is the description of a statement that the connection has prepared before, if it is the same now.
// Otherwise it is what the description rests on that preparing it gives now.
func (h *handler) described(ctx context.Context, c *mysql.Conn, query string) (is *sqlbackend.Description,
	on sqlbackend.Basis, err error) {
	s, ok := h.backend.Client(c.ConnectionID)
	if !ok || h.sessions == nil {
		return nil, on, nil
	}
	sqlCtx, err := h.sessions.NewContextWithQuery(ctx, c, query)
	if err != nil {
		return nil, on, err
	}
	if err := s.CommandBegin(); err != nil {
		return nil, on, err
	}
	defer s.CommandEnd()
	return h.backend.Described(sqlCtx, query)
}

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
