package server

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/dolthub/vitess/go/mysql"

	"github.com/sqlfdb/sqlfdb/sqlbackend/hold"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
)

// The protocol's implementation parses the text of a prepared statement itself, with the
// engine's parser, before it calls the handler. So texts that only our parser reads, such
// as MEMBER OF, would be refused, and LOAD DATA would end the connection. So the
// implementation gets another text, and the handler takes the client's from the connection.

// newCommandConn makes a connection keep the statements that its client prepares.
func newCommandConn(c net.Conn, a *admission) *commandConn {
	wire := &commandConn{Conn: c, in: bufio.NewReaderSize(c, 4096), admission: a}
	if a != nil {
		wire.receives.Of = a.memory
	}
	wire.patience.Store(int64(defaultPatience))
	wire.last.Store(time.Now().UnixNano())
	return wire
}

// Close implements net.Conn.
func (c *commandConn) Close() error {
	if c.admission != nil {
		c.admission.leave(c)
	}
	c.receives.End()
	return c.Conn.Close()
}

// comChangeUser is COM_CHANGE_USER, which the protocol's implementation does not know. It
// is handed on as a COM_RESET_CONNECTION with a note of the user and the database.
const comChangeUser = 0x11

// changeUser reads the user and the database of a COM_CHANGE_USER. The packet has the name with a zero byte, the
// answer to the server's challenge with its length before it, the database with a zero byte.
func changeUser(b []byte) *otherUser {
	name, rest, ok := bytes.Cut(b, []byte{0})
	u := &otherUser{name: string(name)}
	if !ok || len(rest) == 0 || len(rest) <= int(rest[0]) {
		return u
	}
	u.answer = rest[1 : 1+int(rest[0])]
	database, _, _ := bytes.Cut(rest[1+int(rest[0]):], []byte{0})
	u.database = string(database)
	return u
}

// standIn is the text that the protocol's implementation is given of each statement that is prepared.
const standIn = "SELECT 1"

// A cursor that a client asks for with COM_STMT_EXECUTE is not opened, which the protocol leaves to the server: the
// client's library gets all rows at once and keeps them. The protocol's implementation would run the statement beside
// the session's next ones, lose its error, and refuse another cursor.

// commandConn reads a client's packets and hands them on as they are, except packets that
// prepare a statement, ask for a cursor or change the user. Encryption happens below it.
type commandConn struct {
	net.Conn
	admission *admission // nil in tests of the connection alone
	// check checks the password that a client sends after the log-in, with COM_CHANGE_USER. It is nil before the log-in.
	check func(user string, answer []byte) error

	in   *bufio.Reader
	left int    // bytes of the current packet that are handed on unread
	long int64  // bytes of the current command, with the packets before this one
	out  []byte // bytes that replace the current packet
	sent sentAhead
	// more: the current packet is continued by the next one.
	more     bool
	receives hold.Receiving
	bounded  bool // reads have a deadline, see awaitPacket
	// overlong: parameters were too long to be kept.
	overlong atomic.Bool

	turn     sync.Mutex // held while in is read
	looking  looking
	last     atomic.Int64 // when the last command came, in nanoseconds
	ended    atomic.Bool  // see hangUp
	user     atomic.Pointer[otherUser]
	prepared atomic.Pointer[string]         // the text that is to be prepared
	failure  atomic.Pointer[mysql.SQLError] // the error that the next write sends instead, see breakOff
	running  atomic.Int32                   // commands
	reset    atomic.Uint32                  // the status flags that the next OK is to have, see afterReset
	// patience is how long a part of an answer may take to be written: net_write_timeout.
	patience atomic.Int64
	// received and written are bytes.
	received, written atomic.Uint64
	// gathering: the answer to a statement that is prepared is held, in gathered. The protocol's implementation writes
	// each of its parameters and columns by itself.
	gathering bool
	gathered  []byte
}

const (
	defaultPatience = time.Minute // MySQL's
	// writtenPart is how much must be written within the time: a large row over a slow line takes
	// longer as a whole.
	writtenPart = 64 << 10
	// keptAnswer is the room for answers that a connection keeps.
	keptAnswer = 4 << 10
)

// Write implements net.Conn. A client that stops reading would hold its statement, and the version that
// this reads, for good; its connection ends.
func (c *commandConn) Write(p []byte) (n int, err error) {
	if e := c.failure.Swap(nil); e != nil && len(p) >= packetHeader {
		if _, err := c.Write(errorPacket(p[packetHeader-1], e)); err != nil {
			return 0, err
		}
		return len(p), nil
	}
	p = c.afterReset(p)
	if c.gathering && len(c.gathered)+len(p) < writtenPart {
		c.gathered = append(c.gathered, p...)
		return len(p), nil
	}
	if err := c.sendGathered(); err != nil {
		return 0, err
	}
	return c.write(p)
}

// sendGathered sends what has been held; nothing more is.
func (c *commandConn) sendGathered() error {
	p := c.gathered
	if c.gathering, c.gathered = false, nil; len(p) == 0 {
		return nil
	}
	if cap(p) <= keptAnswer {
		c.gathered = p[:0]
	}
	_, err := c.write(p)
	return err
}

func (c *commandConn) write(p []byte) (n int, err error) {
	for {
		_ = c.Conn.SetWriteDeadline(time.Now().Add(time.Duration(c.patience.Load())))
		m, err := c.Conn.Write(p[n:min(len(p), n+writtenPart)])
		n += m
		count(&c.written, "Bytes_sent", m)
		if err != nil {
			_ = c.Conn.Close()
			return n, err
		}
		if n == len(p) {
			return n, nil
		}
	}
}

// plainOK is the length of an OK that counts nothing: the kind, two numbers, the status flags, the warnings.
const plainOK = 1 + 1 + 1 + 2 + 2

// afterReset gives the OK of a COM_RESET_CONNECTION the session's status flags, of which the protocol's
// implementation sends none. That writes the packet's header before, in a write of its own.
func (c *commandConn) afterReset(p []byte) []byte {
	if len(p) != plainOK || p[0] != mysql.OKPacket {
		return p
	}
	flags := c.reset.Swap(0)
	if flags == 0 {
		return p
	}
	p = bytes.Clone(p)
	binary.LittleEndian.PutUint16(p[3:], uint16(flags))
	return p
}

// otherUser is the content of a COM_CHANGE_USER.
type otherUser struct {
	name, database string
	answer         []byte // to the greeting's challenge
}

const (
	packetHeader = 4        // three bytes of length, little-endian, and the number in its exchange
	longPacket   = 0xffffff // another packet continues it
)

// Read implements net.Conn.
func (c *commandConn) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	if err := c.sendGathered(); err != nil { // the command is over
		return 0, err
	}
	c.turn.Lock()
	defer c.turn.Unlock()
	for c.left == 0 && len(c.out) == 0 { // some packets are not handed on
		if err := c.packet(); err != nil {
			return 0, err
		}
	}
	if len(c.out) > 0 {
		n := copy(p, c.out)
		c.out = c.out[n:]
		return n, nil
	}
	c.awaitPacket()
	n, err := c.in.Read(p[:min(len(p), c.left)])
	if c.left -= n; c.left == 0 && c.bounded {
		c.bounded = false
		c.readBy(time.Time{})
	}
	count(&c.received, "Bytes_received", n)
	return n, err
}

// awaitPacket sets a deadline for the rest of a long packet, as MySQL does, since the bytes that have come are held
// until then.
func (c *commandConn) awaitPacket() {
	if c.check == nil || c.left <= longWait {
		return
	}
	if limit := globalNumber("net_read_timeout"); limit > 0 {
		c.bounded = true
		c.readBy(time.Now().Add(time.Duration(limit) * time.Second))
	}
}

// readBy sets the deadline of reads, unless the connection is to end: then reads are to end at once.
func (c *commandConn) readBy(when time.Time) {
	_ = c.Conn.SetReadDeadline(when)
	if c.ended.Load() {
		c.hangUp()
	}
}

// longWait: the rest of a packet has a deadline if it is of more bytes than this.
const longWait = 64 << 10

// room notes what the connection keeps with the current packet; false where the process has no room for it.
func (c *commandConn) room(length int) bool {
	if c.running.Load() > 0 { // a part of a file
		return c.receives.Set(int64(length) + c.sent.all)
	}
	return c.receives.Set(c.long + c.sent.all)
}

// packet looks at the next packet.
func (c *commandConn) packet() error {
	if !c.more && c.running.Load() == 0 {
		c.receives.Set(c.sent.all) // the commands read before have been run
	}
	head, err := c.in.Peek(packetHeader)
	if c.ended.Load() {
		return io.EOF
	}
	if err != nil {
		if len(head) > 0 { // for the reader to find out that the packet is cut
			c.left = len(head)
			return nil
		}
		if c.running.Load() > 0 {
			// LOAD DATA LOCAL reads, which would take the end of the stream for the end of the file.
			return errLost
		}
		return err
	}
	length, number := int(head[0])|int(head[1])<<8|int(head[2])<<16, head[3]
	c.left, c.more = packetHeader+length, length == longPacket
	if number == 0 {
		c.last.Store(time.Now().UnixNano())
		c.long, c.sent.now = 0, nil
	}
	if c.sent.now != nil {
		c.sent.add(int64(length))
	}
	if c.long += int64(length); !c.takes(c.long) || !c.takes(c.sent.all) {
		return c.refuse(number, errTooLarge)
	}
	if !c.room(length) {
		return c.refuse(number, mysqlerr.ErrMemory.(*mysql.SQLError))
	}
	if number != 0 || length == 0 {
		return nil // no command
	}
	head, err = c.in.Peek(packetHeader + 1)
	if err != nil {
		return nil
	}
	switch head[packetHeader] {
	case mysql.ComStmtSendLongData:
		c.sent.of(c.statement())
		if c.takes(c.sent.all + int64(length)) {
			c.sent.add(int64(length))
			return nil
		}
		if length == longPacket {
			return c.refuse(number, errTooLarge) // more of it follows
		}
		// It has no answer: the statement that it is for is refused.
		c.overlong.Store(true)
		_, err := c.in.Discard(c.left)
		c.left = 0
		return err
	case mysql.ComStmtReset, mysql.ComStmtClose:
		c.sent.forget(c.statement())
		return nil
	case mysql.ComStmtExecute:
		c.sent.forget(c.statement())
		c.withoutCursor()
		return nil
	case comRefresh, comStatistics:
		if c.check == nil || c.running.Load() > 0 {
			return nil
		}
		return c.administer(head[packetHeader], number)
	case mysql.ComPrepare, comChangeUser:
		if length == longPacket {
			return nil // too long to be looked at
		}
	default:
		return nil
	}
	whole := make([]byte, c.left)
	if n, err := io.ReadFull(c.in, whole); err != nil {
		c.left, c.out = 0, whole[:n]
		return nil
	}
	c.left, c.out = 0, whole
	if whole[packetHeader] == comChangeUser {
		c.user.Store(changeUser(whole[packetHeader+1:]))
		c.out = []byte{1, 0, 0, 0, mysql.ComResetConnection}
		return nil
	}
	text := string(whole[packetHeader+1:])
	c.gathering = true
	c.prepared.Store(&text)
	c.out = append([]byte{byte(len(standIn) + 1), 0, 0, 0, mysql.ComPrepare}, standIn...)
	return nil
}

// executeFlags is where the kind of cursor stands in a COM_STMT_EXECUTE, behind the command and the number of the
// statement.
const executeFlags = packetHeader + 1 + 4

// withoutCursor hands on the beginning of a COM_STMT_EXECUTE as of one that asks for no cursor.
func (c *commandConn) withoutCursor() {
	if c.left <= executeFlags {
		return // more is not to be waited for
	}
	head, err := c.in.Peek(executeFlags + 1)
	if err != nil {
		return
	}
	c.out = append([]byte(nil), head...)
	c.out[executeFlags] = mysql.NoCursor
	n, _ := c.in.Discard(len(head))
	c.left -= n
}

// wireOf is the connection below the protocol's. The engine does not ask the socket itself
// whether the client is still there, since it is not one that it knows: see look.
func wireOf(c *mysql.Conn) *commandConn {
	w, _ := c.Conn.(*commandConn)
	return w
}

// maxGreeting bounds a packet of a client that has not logged in.
const maxGreeting = 64 << 10

// takes reports whether a command may have so many bytes. The file of a LOAD DATA LOCAL is no command.
func (c *commandConn) takes(bytes int64) bool {
	switch {
	case c.admission == nil || c.running.Load() > 0:
		return true
	case c.check == nil:
		return bytes <= maxGreeting
	}
	most := globalNumber("max_allowed_packet")
	return most <= 0 || bytes <= most
}

// errTooLarge is the error of a packet that is too long.
var errTooLarge = mysql.NewSQLError(errPacketTooLarge, "08S01", "Got a packet bigger than 'max_allowed_packet' bytes")

// refuse sends the client why its packet is refused, as far as it listens, and ends the connection. The rest of the
// packet is on its way, and is not kept.
func (c *commandConn) refuse(number byte, why *mysql.SQLError) error {
	c.receives.End()
	_ = c.Conn.SetWriteDeadline(time.Now().Add(time.Second))
	_, _ = c.Conn.Write(errorPacket(number+1, why))
	// The client sends the rest before it reads.
	_ = c.Conn.SetReadDeadline(time.Now().Add(refusedPatience))
	_, _ = io.Copy(io.Discard, c.in)
	return io.EOF
}

const (
	errPacketTooLarge = 1153
	// refusedPatience is how long the rest of a refused packet is read and thrown away.
	refusedPatience = 10 * time.Second
)
