package secure

import (
	"bytes"
	"crypto/tls"
	"encoding/binary"
	"io"
	"net"
	"sync/atomic"
	"time"
)

// Options are the settings of New.
type Options struct {
	// TLS is called for each connection; nil is no encryption, as the greeting says.
	TLS func() *tls.Config
	// Refusal is the packet that answers a client that asks for no encryption; nil lets it in.
	Refusal []byte
}

// Conn is a connection whose client may ask for encryption. The protocol lets it do so between the greeting and the
// log-in, in a packet of its own that is not handed on. So the numbers of the log-in's packets differ by one above
// and below. One goroutine reads and one writes, and until the log-in has ended they are the same.
type Conn struct {
	net.Conn // the socket
	options  Options
	tls      atomic.Pointer[tls.Conn]

	logIn   atomic.Bool // the log-in has ended: all is handed on as it is
	greeted bool
	shift   byte   // by how much packets' numbers below are ahead
	out, in []byte // the part of a packet that is written, and the bytes to be read
}

// New makes a connection that begins with the server's greeting.
func New(c net.Conn, options Options) *Conn { return &Conn{Conn: c, options: options} }

// State is the state of the encryption; ok is false for a connection that is not encrypted.
func (c *Conn) State() (state tls.ConnectionState, ok bool) {
	if t := c.tls.Load(); t != nil {
		return t.ConnectionState(), true
	}
	if w, ok := c.Conn.(*Within); ok && w.Encrypted != nil {
		return *w.Encrypted, true
	}
	return state, false
}

// Local reports whether nobody can eavesdrop: the connection comes by a socket in the file system of this machine, or
// from within the process.
func (c *Conn) Local() bool {
	_, within := c.Conn.(*Within)
	return within || c.Conn.RemoteAddr().Network() == "unix"
}

// flow is where the bytes go.
func (c *Conn) flow() net.Conn {
	if t := c.tls.Load(); t != nil {
		return t
	}
	return c.Conn
}

// Close implements net.Conn.
func (c *Conn) Close() error {
	if t := c.tls.Load(); t != nil {
		// The client gets the end if it needs no wait.
		_ = c.Conn.SetWriteDeadline(time.Now().Add(endPatience))
		_ = t.CloseWrite()
	}
	return c.Conn.Close()
}

// endPatience is how long sending the end of an encrypted connection may take.
const endPatience = 100 * time.Millisecond

// CloseRead makes reads find the end of the stream.
func (c *Conn) CloseRead() error {
	if half, ok := c.Conn.(interface{ CloseRead() error }); ok {
		return half.CloseRead()
	}
	return c.Close()
}

const (
	header       = 4       // of a packet: three bytes of length, little-endian, and its number
	requestBytes = 32      // of the packet that asks for encryption
	maxLogIn     = 1 << 16 // of a packet before the end of the log-in
	// clientSSL is the bit of the capabilities that offers encryption, and asks for it.
	clientSSL = 1 << 11
)

// The first bytes of packets that end a log-in.
const (
	okPacket    = 0
	errorPacket = 0xff
)

// Write implements net.Conn. Until the log-in has ended, only whole packets go out.
func (c *Conn) Write(p []byte) (int, error) {
	if c.logIn.Load() {
		return c.flow().Write(p)
	}
	c.out = append(c.out, p...)
	for len(c.out) >= header {
		length := header + int(c.out[0]) + int(c.out[1])<<8 + int(c.out[2])<<16
		if len(c.out) < length {
			break
		}
		packet := c.out[:length]
		kind := byte(0)
		if length > header {
			kind = packet[header]
		}
		if !c.greeted && kind != errorPacket {
			c.offer(packet)
		} else if kind == okPacket || kind == errorPacket {
			c.logIn.Store(true)
		}
		c.greeted = true
		packet[header-1] += c.shift
		if _, err := c.flow().Write(packet); err != nil {
			return 0, err
		}
		c.out = c.out[length:]
	}
	if c.logIn.Load() && len(c.out) > 0 {
		if _, err := c.flow().Write(c.out); err != nil {
			return 0, err
		}
		c.out = nil
	}
	return len(p), nil
}

// offer makes a greeting offer encryption.
func (c *Conn) offer(packet []byte) {
	if c.options.TLS == nil {
		return
	}
	// The version, the server's name, the connection's number, eight bytes of the challenge, a zero.
	body := packet[header+1:]
	name := bytes.IndexByte(body, 0)
	const between = 1 + 4 + 8 + 1
	if name < 0 || len(body) < name+between+2 {
		return
	}
	flags := body[name+between:]
	binary.LittleEndian.PutUint16(flags, binary.LittleEndian.Uint16(flags)|clientSSL)
}

// Read implements net.Conn.
func (c *Conn) Read(p []byte) (int, error) {
	if len(c.in) == 0 {
		if c.logIn.Load() {
			return c.flow().Read(p)
		}
		if err := c.packet(); err != nil {
			return 0, err
		}
	}
	n := copy(p, c.in)
	c.in = c.in[n:]
	return n, nil
}

// packet reads a packet of the log-in, and encrypts the connection if the client asks for it.
func (c *Conn) packet() error {
	packet, err := c.read()
	if err != nil {
		return err
	}
	if c.shift > 0 || c.options.TLS == nil {
		return c.hand(packet)
	}
	plain := len(packet) != header+requestBytes || binary.LittleEndian.Uint16(packet[header:])&clientSSL == 0
	if plain {
		if c.options.Refusal != nil && packet[header-1] == 1 && !c.Local() {
			refusal := bytes.Clone(c.options.Refusal)
			refusal[header-1] = packet[header-1] + 1
			_, _ = c.Conn.Write(refusal)
			return io.EOF
		}
		return c.hand(packet)
	}
	encrypted := tls.Server(c.Conn, c.options.TLS())
	if err := encrypted.Handshake(); err != nil {
		return err
	}
	c.tls.Store(encrypted)
	c.shift = 1
	if packet, err = c.read(); err != nil {
		return err
	}
	return c.hand(packet)
}

func (c *Conn) hand(packet []byte) error {
	packet[header-1] -= c.shift
	c.in = packet
	return nil
}

// read reads a packet and nothing behind it, which may be encrypted.
func (c *Conn) read() ([]byte, error) {
	packet := make([]byte, header)
	flow := c.flow()
	if _, err := io.ReadFull(flow, packet); err != nil {
		return nil, err
	}
	length := int(packet[0]) + int(packet[1])<<8 + int(packet[2])<<16
	if length > maxLogIn {
		c.logIn.Store(true) // for the reader to refuse
		return packet, nil
	}
	packet = append(packet, make([]byte, length)...)
	_, err := io.ReadFull(flow, packet[header:])
	return packet, err
}
