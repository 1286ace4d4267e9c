package secure

import (
	"crypto/tls"
	"io"
	"net"
	"sync/atomic"
	"time"
)

// Within is the server's end of a connection that does not leave the process. It was made on behalf of a client, with
// that client's address and the encryption of its own connection.
type Within struct {
	net.Conn
	Client    net.Addr
	Encrypted *tls.ConnectionState // nil: it is not

	ended atomic.Bool // nothing is read any more
}

// RemoteAddr implements net.Conn.
func (w *Within) RemoteAddr() net.Addr { return w.Client }

// CloseRead makes reads find the end of the stream. Writes still arrive.
func (w *Within) CloseRead() error {
	w.ended.Store(true)
	return w.Conn.SetReadDeadline(time.Unix(1, 0)) // which wakes readers
}

// Read implements net.Conn.
func (w *Within) Read(p []byte) (int, error) {
	n, err := w.Conn.Read(p)
	if err != nil && w.ended.Load() {
		return n, io.EOF
	}
	return n, err
}
