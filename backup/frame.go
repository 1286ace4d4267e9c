package backup

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"time"
)

// Format is the number of the file format that this program writes, and the greatest that it reads.
const Format = 1

// Errors of files. They are wrapped with what was found.
var (
	ErrNoBackup  = errors.New("not a backup file")
	ErrNewer     = errors.New("the backup file has a newer format")
	ErrDamaged   = errors.New("the backup file is damaged")
	ErrTruncated = errors.New("the backup file is truncated")
)

// Header is what a backup file says of itself.
type Header struct {
	Made        time.Time
	Program     string // the version of the program that wrote it
	Version     int64  // the version at which the store was read
	StoreFormat uint64
	Incarnation byte
}

const magic = "sqlfdb backup\r\n\x1a\n"

// Kinds of frames.
const (
	kindHeader = 'H'
	kindPairs  = 'P'
	kindEnd    = 'E'
)

const (
	frameHead   = 1 + 8 + 4
	frameFoot   = 4
	endPayload  = 16
	endFrame    = frameHead + endPayload + frameFoot
	framePairs  = 256 << 10 // a frame of pairs ends after so many bytes
	mostPayload = 1 << 20
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// frameWriter writes frames.
type frameWriter struct {
	to     io.Writer
	number uint64
	buf    []byte // of the frame: room for its head, then the payload
}

func newFrameWriter(w io.Writer, h Header) (*frameWriter, error) {
	if _, err := io.WriteString(w, magic); err != nil {
		return nil, err
	}
	if _, err := w.Write(binary.BigEndian.AppendUint32(nil, Format)); err != nil {
		return nil, err
	}
	text, err := json.Marshal(h)
	if err != nil {
		return nil, err
	}
	f := &frameWriter{to: w, buf: make([]byte, frameHead, framePairs+framePairs/2)}
	f.buf = append(f.buf, text...)
	return f, f.end(kindHeader)
}

// size is the length of the payload so far.
func (f *frameWriter) size() int { return len(f.buf) - frameHead }

// end writes the frame and begins the next.
func (f *frameWriter) end(kind byte) error {
	f.buf[0] = kind
	binary.BigEndian.PutUint64(f.buf[1:], f.number)
	binary.BigEndian.PutUint32(f.buf[9:], uint32(f.size()))
	f.buf = binary.BigEndian.AppendUint32(f.buf, crc32.Checksum(f.buf, castagnoli))
	_, err := f.to.Write(f.buf)
	f.buf = f.buf[:frameHead]
	f.number++
	return err
}

// frameReader reads frames.
type frameReader struct {
	from   io.Reader
	number uint64
	buf    []byte
}

func newFrameReader(r io.Reader) (*frameReader, Header, error) {
	var h Header
	begin := make([]byte, len(magic)+4)
	if _, err := io.ReadFull(r, begin); err != nil {
		if short(err) {
			return nil, h, ErrNoBackup
		}
		return nil, h, err
	}
	if string(begin[:len(magic)]) != magic {
		return nil, h, ErrNoBackup
	}
	if format := binary.BigEndian.Uint32(begin[len(magic):]); format == 0 || format > Format {
		return nil, h, fmt.Errorf("%w: %d, this program reads up to %d", ErrNewer, format, Format)
	}
	f := &frameReader{from: r}
	kind, payload, err := f.next()
	if err != nil {
		return nil, h, err
	}
	if kind != kindHeader {
		return nil, h, fmt.Errorf("%w: it begins with a frame of kind %q", ErrDamaged, kind)
	}
	if err := json.Unmarshal(payload, &h); err != nil {
		return nil, h, fmt.Errorf("%w: header: %w", ErrDamaged, err)
	}
	return f, h, nil
}

func short(err error) bool { return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) }

// next reads a frame. The payload is valid until the next call.
func (f *frameReader) next() (kind byte, payload []byte, err error) {
	fail := func(err error) (byte, []byte, error) {
		if short(err) {
			err = fmt.Errorf("%w: it ends in frame %d", ErrTruncated, f.number)
		}
		return 0, nil, err
	}
	if cap(f.buf) < frameHead {
		f.buf = make([]byte, frameHead)
	}
	f.buf = f.buf[:frameHead]
	if _, err := io.ReadFull(f.from, f.buf); err != nil {
		return fail(err)
	}
	length := int(binary.BigEndian.Uint32(f.buf[9:]))
	if length > mostPayload {
		return 0, nil, fmt.Errorf("%w: frame %d has a length of %d bytes", ErrDamaged, f.number, length)
	}
	whole := frameHead + length + frameFoot
	if cap(f.buf) < whole {
		f.buf = append(make([]byte, 0, whole), f.buf...)
	}
	f.buf = f.buf[:whole]
	if _, err := io.ReadFull(f.from, f.buf[frameHead:]); err != nil {
		return fail(err)
	}
	body := f.buf[:whole-frameFoot]
	if crc32.Checksum(body, castagnoli) != binary.BigEndian.Uint32(f.buf[whole-frameFoot:]) {
		return 0, nil, fmt.Errorf("%w: the checksum of frame %d is wrong", ErrDamaged, f.number)
	}
	if n := binary.BigEndian.Uint64(f.buf[1:]); n != f.number {
		return 0, nil, fmt.Errorf("%w: frame %d stands where frame %d should", ErrDamaged, n, f.number)
	}
	f.number++
	return f.buf[0], body[frameHead:], nil
}

// CheckEnd reads the end of a file of that size, and tells a truncated one in no time.
// It says nothing of what stands before.
func CheckEnd(r io.ReaderAt, size int64) error {
	begin := make([]byte, len(magic))
	if n, err := r.ReadAt(begin, 0); n < len(begin) {
		if err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("backup: %w", err)
		}
		return fmt.Errorf("backup: %w", ErrNoBackup)
	}
	if string(begin) != magic {
		return fmt.Errorf("backup: %w", ErrNoBackup)
	}
	end := make([]byte, endFrame)
	if size < endFrame {
		return fmt.Errorf("backup: %w", ErrTruncated)
	}
	if _, err := r.ReadAt(end, size-endFrame); err != nil {
		return fmt.Errorf("backup: %w", err)
	}
	body := end[:endFrame-frameFoot]
	if end[0] != kindEnd || crc32.Checksum(body, castagnoli) != binary.BigEndian.Uint32(end[len(body):]) {
		return fmt.Errorf("backup: %w: it doesn't end as a whole one does", ErrTruncated)
	}
	return nil
}
