package server

import (
	"encoding/binary"
	"io"
	"net"
	"testing"
	"time"
)

// TestResetFirst: a connection has no session before its first command, which may be one that resets it.
func TestResetFirst(t *testing.T) {
	s, _ := admissionServer(t, Options{})
	for _, command := range []string{"\x1f", "\x11root\x00\x00\x00", "\x11root\x00\x00information_schema\x00"} {
		c, err := net.Dial("tcp", s.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		_ = c.SetDeadline(time.Now().Add(time.Minute))
		receive := func() []byte {
			head := make([]byte, packetHeader)
			if _, err := io.ReadFull(c, head); err != nil {
				t.Fatal(err)
			}
			body := make([]byte, int(head[0])|int(head[1])<<8|int(head[2])<<16)
			if _, err := io.ReadFull(c, body); err != nil {
				t.Fatal(err)
			}
			return body
		}
		receive()                              // the greeting
		const flags = 1 | 1<<9 | 1<<15 | 1<<19 // long passwords, protocol 4.1, its passwords, named methods
		login := binary.LittleEndian.AppendUint32(nil, flags)
		login = append(login, 0, 0, 0, 1, 45)
		login = append(append(login, make([]byte, 23)...), "root\x00\x00mysql_native_password\x00"...)
		for _, packet := range [][]byte{packetOf(1, string(login)), packetOf(0, command)} {
			if _, err := c.Write(packet); err != nil {
				t.Fatal(err)
			}
			if got := receive(); got[0] != 0 {
				t.Errorf("%q: %q", command, got)
			}
		}
	}
}
