package changes

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/sqlfdb/sqlfdb/kv/tuple"
)

// ErrFormat: bytes that are not a sequence, a revision, a meta or a change.
var ErrFormat = errors.New("malformed")

// SequenceSize is the length in bytes of a Sequence.
const SequenceSize = 13

// Sequence orders all commits of a collection: the store's incarnation, the
// commit's versionstamp and the order within the transaction.
type Sequence [SequenceSize]byte

// NewSequence joins the parts of a sequence.
func NewSequence(incarnation byte, stamp tuple.Versionstamp) Sequence {
	var s Sequence
	s[0] = incarnation
	copy(s[1:], stamp.Transaction[:])
	binary.BigEndian.PutUint16(s[11:], stamp.User)
	return s
}

// SequenceAt is behind every change up to a version of the store, and before all others.
func SequenceAt(incarnation byte, version int64) Sequence {
	var s Sequence
	s[0] = incarnation
	binary.BigEndian.PutUint64(s[1:], uint64(version))
	copy(s[9:], "\xff\xff\xff\xff")
	return s
}

// ParseSequence reads the 26 hexadecimal digits of a sequence.
func ParseSequence(text string) (Sequence, error) {
	var s Sequence
	if len(text) != 2*SequenceSize {
		return s, fmt.Errorf("changes: sequence %q: %w: want %d hexadecimal digits", text, ErrFormat, 2*SequenceSize)
	}
	if _, err := hex.Decode(s[:], []byte(text)); err != nil {
		return s, fmt.Errorf("changes: sequence %q: %w: %w", text, ErrFormat, err)
	}
	return s, nil
}

// String is the sequence as SQL shows it: 26 lower-case hexadecimal digits.
func (s Sequence) String() string { return hex.EncodeToString(s[:]) }

// Incarnation is the first byte.
func (s Sequence) Incarnation() byte { return s[0] }

// Stamp is the versionstamp.
func (s Sequence) Stamp() tuple.Versionstamp {
	var v tuple.Versionstamp
	copy(v.Transaction[:], s[1:11])
	v.User = binary.BigEndian.Uint16(s[11:])
	return v
}

// Pending reports whether the versionstamp is still to be filled in by the commit.
func (s Sequence) Pending() bool { return s.Stamp().IsIncomplete() }

// HashSize is the length in bytes of a revision's hash.
const HashSize = 16

// Rev is a document's revision: how often it was changed, and a hash over (deleted,
// previous revision, document). So the same edits of the same document give the same
// revision.
type Rev struct {
	Position uint64
	Hash     [HashSize]byte
}

// String is the revision as SQL shows it, `3-9f…`.
func (r Rev) String() string {
	return strconv.FormatUint(r.Position, 10) + "-" + hex.EncodeToString(r.Hash[:])
}

// ParseRev reads a text of String.
func ParseRev(text string) (Rev, error) {
	var r Rev
	position, hash, _ := strings.Cut(text, "-")
	n, err := strconv.ParseUint(position, 10, 64)
	if err != nil || len(hash) != 2*HashSize {
		return r, fmt.Errorf("changes: revision %q: %w", text, ErrFormat)
	}
	r.Position = n
	if _, err := hex.Decode(r.Hash[:], []byte(hash)); err != nil {
		return r, fmt.Errorf("changes: revision %q: %w: %w", text, ErrFormat, err)
	}
	return r, nil
}

// Next is the revision after prev of a document whose text is given; a nil
// text is a deletion.
func (r Rev) Next(text []byte) Rev {
	h := sha256.New()
	var head [1 + 8 + HashSize]byte
	if text == nil {
		head[0] = 1
	}
	binary.BigEndian.PutUint64(head[1:], r.Position)
	copy(head[9:], r.Hash[:])
	h.Write(head[:])
	h.Write(text)
	next := Rev{Position: r.Position + 1}
	var sum [sha256.Size]byte
	copy(next.Hash[:], h.Sum(sum[:0]))
	return next
}

// Meta is the collection's record of a document, also after its deletion.
type Meta struct {
	Rev      Rev
	Deleted  bool
	Sequence Sequence
}

// Layout of a meta's value: format, flags, sequence, hash, position.
const (
	metaFormat      = 1
	metaSize        = 2 + SequenceSize + HashSize + 8
	metaStampOffset = 3
	metaDeleted     = 1
)

func appendMeta(dst []byte, m Meta) []byte {
	flags := byte(0)
	if m.Deleted {
		flags = metaDeleted
	}
	dst = append(dst, metaFormat, flags)
	dst = append(dst, m.Sequence[:]...)
	dst = append(dst, m.Rev.Hash[:]...)
	return binary.BigEndian.AppendUint64(dst, m.Rev.Position)
}

// EncodeMeta is a meta's value.
func EncodeMeta(m Meta) []byte { return appendMeta(make([]byte, 0, metaSize), m) }

// DecodeMeta reads a meta's value; nil means that there is none.
func DecodeMeta(b []byte) (m Meta, ok bool, err error) {
	if b == nil {
		return m, false, nil
	}
	if len(b) != metaSize || b[0] != metaFormat {
		return m, false, fmt.Errorf("changes: meta %x: %w", b, ErrFormat)
	}
	m.Deleted = b[1]&metaDeleted != 0
	copy(m.Sequence[:], b[2:])
	copy(m.Rev.Hash[:], b[2+SequenceSize:])
	m.Rev.Position = binary.BigEndian.Uint64(b[2+SequenceSize+HashSize:])
	return m, true, nil
}
