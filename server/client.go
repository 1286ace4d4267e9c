package server

import (
	"context"
	"errors"
	"net"
	"sync"
	"time"

	"github.com/dolthub/vitess/go/mysql"

	"github.com/sqlfdb/sqlfdb/sqlbackend"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
)

// client is a connection with the command that it runs. The handler's mutex
// guards it.
type client struct {
	conn *mysql.Conn
	wire *commandConn // nil in tests of the handler alone

	running int   // commands; one at most, except commands that the engine runs within one
	text    int64 // bytes of the running command's statement
	// prepared is how many prepared statements the client had at its last command. sweep is how many of their texts the
	// engine may keep before closed ones are looked for.
	prepared, sweep int
	// grown is how many bytes of prepared statements have come since they were last counted; counted is how many
	// statements there were then.
	grown   int64
	counted int
	cancel  context.CancelCauseFunc // of the running command
}

// Why commands are cancelled, beside context.Canceled for KILL and
// context.DeadlineExceeded for max_execution_time.
var errLost = errors.New("server: the client is gone")

// lookAfter is how long a command runs before it is checked whether its client is still
// there.
const lookAfter = 100 * time.Millisecond

// begin notes that a command of a connection runs; the context ends with it, and when it
// is killed or its client is lost. The caller calls end. While the server closes, nothing begins.
func (h *handler) begin(ctx context.Context, c *mysql.Conn, query string) (
	running context.Context, end func(), err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closing {
		return nil, nil, mysqlerr.FinishError(mysqlerr.ErrClosing)
	}
	cl := h.clients[c.ConnectionID]
	if cl == nil {
		cl = &client{conn: c}
	}
	running, cancel := context.WithCancelCause(ctx)
	h.running++
	cl.running++
	cl.cancel, cl.text, cl.prepared = cancel, int64(len(query)), len(c.PrepareData)
	look := func() {}
	if cl.wire != nil {
		if patience, ok := h.backend.WritePatience(c.ConnectionID); ok {
			cl.wire.patience.Store(int64(patience))
		}
		cl.wire.running.Add(1)
		cl.wire.failure.Store(nil)
		look = cl.wire.look(lookAfter, func() { cancel(errLost) })
	}
	return running, func() {
		look()
		if cl.wire != nil {
			cl.wire.running.Add(-1)
		}
		h.mu.Lock()
		cl.running--
		cl.cancel = nil
		h.running--
		if h.closing {
			cl.hangUp()
		}
		h.idle.Broadcast()
		h.mu.Unlock()
		cancel(nil)
	}, nil
}

// hangUp makes the next read of the client's commands find their end. A write to the client
// goes on.
func (cl *client) hangUp() {
	if cl.wire != nil {
		cl.wire.hangUp()
		return
	}
	if cl.conn.Conn != nil {
		cl.conn.Close()
	}
}

// interrupt kills a connection's running command, or the connection; ok is false if there
// is no connection of this number.
func (h *handler) interrupt(connection uint32, kill session.Kill) (ok bool) {
	h.mu.Lock()
	cl := h.clients[connection]
	if cl != nil && cl.cancel != nil {
		cl.cancel(context.Canceled)
	}
	h.mu.Unlock()
	if cl != nil && kill == sqlbackend.KillConnection {
		cl.conn.Close() // also if its client does not read
	}
	return cl != nil
}

// overrun ends the command of a connection whose time is over, if it is still the one of
// the context.
func (h *handler) overrun(connection uint32, running context.Context) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if cl := h.clients[connection]; cl != nil && cl.cancel != nil && running.Err() == nil {
		cl.cancel(context.DeadlineExceeded)
	}
}

// beginClosing makes idle connections end, open transactions or not, and all others with
// their commands.
func (h *handler) beginClosing() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.closing = true
	for _, cl := range h.clients {
		if cl.running == 0 {
			cl.hangUp()
		}
	}
	select {
	case <-h.closed:
	default:
		close(h.closed)
	}
}

// idleRound is how often idle connections are looked for.
const idleRound = time.Second

// endIdle ends connections whose clients have sent nothing for longer than their
// wait_timeout, until the server closes.
func (h *handler) endIdle() {
	round := time.NewTicker(idleRound)
	defer round.Stop()
	for {
		select {
		case <-round.C:
			h.noteUptime()
		case <-h.closed:
			return
		}
		h.mu.Lock()
		for id, cl := range h.clients {
			if cl.running > 0 || cl.wire == nil {
				continue
			}
			patience, ok := h.backend.Patience(id)
			if ok && time.Since(cl.wire.lastCommand()) > patience {
				cl.wire.sendTimeout()
				cl.hangUp()
			}
		}
		h.mu.Unlock()
	}
}

// timeoutPacket is MySQL's error for a connection that was idle for too long, 4031, in a packet
// that is no answer.
var timeoutPacket = func() []byte {
	text := "\xff\xbf\x0f#HY000The client was disconnected by the server because of inactivity."
	return append([]byte{byte(len(text)), 0, 0, 0}, text...)
}()

// sendTimeout sends the client why its connection ends, if that needs no wait.
func (c *commandConn) sendTimeout() {
	_ = c.Conn.SetWriteDeadline(time.Now().Add(10 * time.Millisecond))
	_, _ = c.Conn.Write(timeoutPacket)
}

// hangUp makes reads find the end of the stream.
func (c *commandConn) hangUp() {
	c.ended.Store(true) // bytes that have come already are not read any more either
	if half, ok := c.Conn.(interface{ CloseRead() error }); ok {
		_ = half.CloseRead()
		return
	}
	_ = c.Conn.Close()
}

// lastCommand is when the client has sent its last command, or connected.
func (c *commandConn) lastCommand() time.Time { return time.Unix(0, c.last.Load()) }

// look checks, from after on, whether the client is gone, and calls lost then. The caller calls stop when the command
// ends. It checks by reading ahead: bytes that a client sends are kept for the next read.
func (c *commandConn) look(after time.Duration, lost func()) (stop func()) {
	l := &c.looking
	l.mu.Lock()
	if l.lost != nil { // by a command around this one
		l.mu.Unlock()
		l = &looking{}
		l.mu.Lock()
	}
	defer l.mu.Unlock()
	l.c, l.lost = c, lost
	l.command++
	if l.timer == nil {
		l.timer = time.AfterFunc(after, l.begin)
	} else {
		l.timer.Reset(after)
	}
	return l.stop
}

// looking is the state of a look; a connection's commands use it in turn.
type looking struct {
	mu      sync.Mutex
	c       *commandConn
	timer   *time.Timer
	command int64
	lost    func() // of the command that runs; nil: none does
}

func (l *looking) begin() {
	l.mu.Lock()
	c, command, over := l.c, l.command, l.lost == nil
	l.mu.Unlock()
	if over {
		return
	}
	if !c.turn.TryLock() {
		// The command itself reads, as LOAD DATA LOCAL does: it notices.
		l.mu.Lock()
		if l.lost != nil && l.command == command {
			l.timer.Reset(lookAfter)
		}
		l.mu.Unlock()
		return
	}
	_, err := c.in.Peek(1)
	c.turn.Unlock()
	l.mu.Lock()
	lost := l.lost
	if l.command != command {
		lost = nil
	}
	l.mu.Unlock()
	var network net.Error
	if err != nil && lost != nil && !(errors.As(err, &network) && network.Timeout()) {
		lost()
	}
}

func (l *looking) stop() {
	l.mu.Lock()
	l.lost = nil
	l.timer.Stop()
	l.mu.Unlock()
}
