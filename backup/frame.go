package backup

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"time"

	"github.com/sqlfdb/sqlfdb/changes"
)

// Format is the number of the file format that this program writes, and the greatest that it reads.
const Format = 2

// firstFormat is the format of files that hold all keys of a store, and don't say at which position.
const firstFormat = 1

// Errors of files. They are wrapped with the details.
var (
	ErrNoBackup  = errors.New("not a backup file")
	ErrNewer     = errors.New("the backup file has a newer format")
	ErrDamaged   = errors.New("the backup file is damaged")
	ErrTruncated = errors.New("the backup file is truncated")
)

// Header is a backup file's description of itself.
type Header struct {
	Made        time.Time
	Program     string // the version of the program that wrote it
	Version     int64  // the version at which the store was first read
	StoreFormat uint64
	Incarnation byte
	// Store is which store it is of, Since the version of the copy that it goes on from; empty and 0 for a full copy.
	Store string `json:",omitempty"`
	Since int64  `json:",omitempty"`
}

// Position is the state that a copy ends at, from which the next one may go on.
type Position struct {
	Store       string `json:",omitempty"` // empty: nothing goes on from it
	Incarnation byte
	Version     int64
	// At is a time behind everything that is in the copy, by the writer's clock; zero in older files.
	At time.Time `json:",omitzero"`
	// Last is the last change of any collection up to the version, as far as this copy and its predecessors know it;
	// empty for none. Collections that are gone by then count too.
	Last string `json:",omitempty"`
	// Tables are digests of the definitions of the collections, by their numbers; empty where background work was under
	// way.
	Tables map[int64]string `json:",omitempty"`
}

// behind is behind all changes that can be in the copy, and before all others.
func (p Position) behind() changes.Sequence { return changes.SequenceAt(p.Incarnation, p.Version) }

const magic = "sqlfdb backup\r\n\x1a\n"

// Kinds of frames.
const (
	kindHeader  = 'H'
	kindSection = 'R' // ranges that are cleared, before their content
	kindPairs   = 'P'
	kindChanges = 'C' // documents
	kindTail    = 'T' // the position
	kindEnd     = 'E'
)

const (
	frameHead  = 1 + 8 + 4
	frameFoot  = 4
	framePairs = 256 << 10 // a frame of pairs or documents ends after so many bytes
	maxPayload = 8 << 20   // more than a document and its key have
)

// endPayload is how long the last frame's payload is.
func endPayload(format uint32) int {
	if format == firstFormat {
		return 16
	}
	return 32
}

func endFrame(format uint32) int64 { return int64(frameHead + endPayload(format) + frameFoot) }

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
	format uint32
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
	format, err := formatOf(begin)
	if err != nil {
		return nil, h, err
	}
	f := &frameReader{from: r, format: format}
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
	if length > maxPayload {
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

// formatOf is the format by the first bytes of a file.
func formatOf(begin []byte) (uint32, error) {
	format := binary.BigEndian.Uint32(begin[len(magic):])
	if format == 0 || format > Format {
		return 0, fmt.Errorf("%w: %d, this program reads up to %d", ErrNewer, format, Format)
	}
	return format, nil
}

// CheckEnd reads the end of a file of that size, which finds a truncated file at once. It
// does not check the rest of the file.
func CheckEnd(r io.ReaderAt, size int64) error {
	_, _, err := readEnd(r, size)
	if err != nil {
		return fmt.Errorf("backup: %w", err)
	}
	return nil
}

// ReadPosition reads at the end of a file of that size where it ends.
func ReadPosition(r io.ReaderAt, size int64) (p Position, err error) {
	format, end, err := readEnd(r, size)
	if err == nil && format == firstFormat {
		err = errors.New("it is of a program that did not say at which position; begin with a full copy")
	}
	if err != nil {
		return p, fmt.Errorf("backup: %w", err)
	}
	length := int64(binary.BigEndian.Uint64(end[24:]))
	at := size - endFrame(format) - length
	if length < frameHead+frameFoot || length > maxPayload || at < 0 {
		return p, fmt.Errorf("backup: %w: its tail can't be found", ErrDamaged)
	}
	tail := make([]byte, length)
	if _, err := r.ReadAt(tail, at); err != nil {
		return p, fmt.Errorf("backup: %w", err)
	}
	body := tail[:length-frameFoot]
	if tail[0] != kindTail || crc32.Checksum(body, castagnoli) != binary.BigEndian.Uint32(tail[len(body):]) {
		return p, fmt.Errorf("backup: %w: the checksum of its tail is wrong", ErrDamaged)
	}
	if err := json.Unmarshal(body[frameHead:], &p); err != nil {
		return p, fmt.Errorf("backup: %w: tail: %w", ErrDamaged, err)
	}
	return p, nil
}

// readEnd reads the last frame's payload.
func readEnd(r io.ReaderAt, size int64) (format uint32, payload []byte, err error) {
	begin := make([]byte, len(magic)+4)
	if n, err := r.ReadAt(begin, 0); n < len(begin) {
		if err != nil && !errors.Is(err, io.EOF) {
			return 0, nil, err
		}
		return 0, nil, ErrNoBackup
	}
	if string(begin[:len(magic)]) != magic {
		return 0, nil, ErrNoBackup
	}
	if format, err = formatOf(begin); err != nil {
		return 0, nil, err
	}
	end := make([]byte, endFrame(format))
	if size < int64(len(end)) {
		return 0, nil, ErrTruncated
	}
	if _, err := r.ReadAt(end, size-int64(len(end))); err != nil {
		return 0, nil, err
	}
	body := end[:len(end)-frameFoot]
	if end[0] != kindEnd || crc32.Checksum(body, castagnoli) != binary.BigEndian.Uint32(end[len(body):]) {
		return 0, nil, fmt.Errorf("%w: it doesn't end as a whole one does", ErrTruncated)
	}
	return format, body[frameHead:], nil
}
