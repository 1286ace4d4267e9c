package server

import (
	"bufio"
	"io"
	"net"

	"github.com/dolthub/vitess/go/mysql"

	"github.com/sqlfdb/sqlfdb/sqlbackend"
)

// The protocol's implementation parses the text of a prepared statement itself,
// with the engine's parser, before it asks the handler: what only our parser
// reads, MEMBER OF for one, would be refused. So the text is translated where it
// comes in.

// preparing makes the connections of a listener translate the statements that
// clients prepare.
type preparing struct{ net.Listener }

// Accept implements net.Listener.
func (l preparing) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &commandConn{Conn: c, in: bufio.NewReaderSize(c, 4096)}, nil
}

// commandConn reads a client's packets and hands them on as they are, but for
// those that prepare a statement. Encryption would have to happen below it.
type commandConn struct {
	net.Conn
	in   *bufio.Reader
	left int    // bytes of the current packet that are handed on unread
	out  []byte // what stands for the current packet
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
	if c.left == 0 && len(c.out) == 0 {
		if err := c.packet(); err != nil {
			return 0, err
		}
	}
	if len(c.out) > 0 {
		n := copy(p, c.out)
		c.out = c.out[n:]
		return n, nil
	}
	n, err := c.in.Read(p[:min(len(p), c.left)])
	c.left -= n
	return n, err
}

// packet looks at the next packet.
func (c *commandConn) packet() error {
	head, err := c.in.Peek(packetHeader)
	if err != nil {
		if len(head) > 0 { // for the reader to find out that the packet is cut
			c.left = len(head)
			return nil
		}
		return err
	}
	length, number := int(head[0])|int(head[1])<<8|int(head[2])<<16, head[3]
	c.left = packetHeader + length
	if number != 0 || length < 2 || length == longPacket {
		return nil // no command, or one that is too long to be looked at
	}
	head, err = c.in.Peek(packetHeader + 1)
	if err != nil || head[packetHeader] != mysql.ComPrepare {
		return nil
	}
	whole := make([]byte, c.left)
	if n, err := io.ReadFull(c.in, whole); err != nil {
		c.left, c.out = 0, whole[:n]
		return nil
	}
	c.left, c.out = 0, whole
	if text, ok := sqlbackend.TranslatePrepared(string(whole[packetHeader+1:])); ok && len(text)+1 < longPacket {
		n := len(text) + 1
		c.out = append([]byte{byte(n), byte(n >> 8), byte(n >> 16), 0, mysql.ComPrepare}, text...)
	}
	return nil
}

// unwrap gives the engine back the connection that it knows: it asks the socket
// whether a client is still there. The protocol goes on reading commandConn, which it
// has a buffer over.
func unwrap(c *mysql.Conn) {
	if w, ok := c.Conn.(*commandConn); ok {
		c.Conn = w.Conn
	}
}
