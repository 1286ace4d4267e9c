package server

import (
	"errors"
	"io"
	"net"
	"testing"
	"time"
)

// TestReadByEnded: a connection that is to end does not get another time to be read in.
func TestReadByEnded(t *testing.T) {
	for _, when := range []time.Time{{}, time.Now().Add(time.Hour)} {
		near, far := net.Pipe()
		defer far.Close()
		c := newCommandConn(near, nil)
		c.hangUp()
		half := &halfClosed{Conn: near}
		c.Conn = half
		c.readBy(when)
		if !half.closed {
			t.Errorf("%v: the end of the stream is not there any more", when)
		}
		if _, err := c.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
			t.Errorf("%v: read: %v", when, err)
		}
	}
}

// halfClosed notes that nothing is read any more.
type halfClosed struct {
	net.Conn
	closed bool
}

func (h *halfClosed) CloseRead() error {
	h.closed = true
	return nil
}
