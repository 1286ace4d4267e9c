package bucketkv

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/sqlfdb/sqlfdb/kv"
)

// The object begins with its magic line. Then come the store's identity, the number of commits that have written it,
// and the version of the last one. The latest commits, the pairs in the order of their keys, and the SHA-256 of all
// that follow. Numbers are varints; keys and values have their lengths before them.
const (
	magic  = "sqlfdb definitions 1\n"
	family = "sqlfdb definitions "
)

// How many of the latest commits the object lists, and how many bytes of ranges it has for them.
const (
	listedCommits = 256
	listedBytes   = 64 << 10
)

// identity names a store or a commit.
type identity [16]byte

func newIdentity() (id identity) {
	_, _ = rand.Read(id[:]) // it never fails
	return id
}

// listed is a commit as the object lists it.
type listed struct {
	id     identity
	ranges []kv.Range // the ranges that it has written
}

func (l *listed) size() int {
	n := len(l.id)
	for _, r := range l.ranges {
		n += len(r.Start) + len(r.End) + 2
	}
	return n
}

// everything are the ranges of a commit of which nothing more is known.
var everything = []kv.Range{{End: kv.MaxKey}}

// object is the decoded content of an object.
type object struct {
	store   identity
	number  uint64 // of commits that have written it
	version int64
	latest  []listed // the last has that number
	pairs   pairs
}

// list adds a commit to the latest ones, of which the oldest may go.
func (o *object) list(l listed) {
	if l.size() > listedBytes/4 {
		l.ranges = everything
	}
	latest := append(o.latest[:len(o.latest):len(o.latest)], l)
	size, first := 0, len(latest)
	for first > 0 && len(latest)-first < listedCommits {
		if size += latest[first-1].size(); size > listedBytes {
			break
		}
		first--
	}
	o.latest = latest[first:]
}

// since are the commits behind one of that number; ok is false where they are not all listed.
func (o *object) since(number uint64) (behind []listed, ok bool) {
	if number > o.number || o.number-number > uint64(len(o.latest)) {
		return nil, false
	}
	return o.latest[len(o.latest)-int(o.number-number):], true
}

func appendBytes(to, b []byte) []byte { return append(binary.AppendUvarint(to, uint64(len(b))), b...) }

// encode returns the object's bytes, without local pairs.
func (o *object) encode() []byte {
	out := append(make([]byte, 0, o.pairs.kept+o.pairs.kept/8+listedBytes/4), magic...)
	out = append(out, o.store[:]...)
	out = binary.AppendUvarint(out, o.number)
	out = binary.AppendUvarint(out, uint64(o.version))
	out = binary.AppendUvarint(out, uint64(len(o.latest)))
	for _, l := range o.latest {
		out = append(out, l.id[:]...)
		out = binary.AppendUvarint(out, uint64(len(l.ranges)))
		for _, r := range l.ranges {
			out = appendBytes(appendBytes(out, r.Start), r.End)
		}
	}
	o.pairs.tree.Ascend(func(p pair) bool {
		if !o.pairs.local.have(p.key) {
			out = appendBytes(appendBytes(out, p.key), p.value)
		}
		return true
	})
	sum := sha256.Sum256(out)
	return append(out, sum[:]...)
}

// errShort is met where an object ends too early.
var errShort = errors.New("it ends too early")

// decoder decodes an object's bytes. It keeps its first error.
type decoder struct {
	rest []byte
	err  error
}

func (d *decoder) number() uint64 {
	n, size := binary.Uvarint(d.rest)
	if size <= 0 {
		d.fail()
		return 0
	}
	d.rest = d.rest[size:]
	return n
}

func (d *decoder) take(n uint64) []byte {
	if n > uint64(len(d.rest)) {
		d.fail()
		return nil
	}
	out := d.rest[:n:n]
	d.rest = d.rest[n:]
	return out
}

func (d *decoder) bytes() []byte { return d.take(d.number()) }

func (d *decoder) identity() (id identity) {
	copy(id[:], d.take(uint64(len(id))))
	return id
}

func (d *decoder) fail() {
	d.rest = nil
	if d.err == nil {
		d.err = errShort
	}
}

// decode reads an object, whose local pairs it lacks. It keeps parts of body.
func decode(body []byte, local ranges) (*object, error) {
	if !bytes.HasPrefix(body, []byte(magic)) {
		if bytes.HasPrefix(body, []byte(family)) {
			return nil, errors.New("a newer program has written the object of definitions; use that one")
		}
		return nil, fmt.Errorf("%w: the object of definitions does not begin as one", kv.ErrDamaged)
	}
	if len(body) < len(magic)+sha256.Size {
		return nil, fmt.Errorf("%w: the object of definitions is cut", kv.ErrDamaged)
	}
	at := len(body) - sha256.Size
	if sum := sha256.Sum256(body[:at]); !bytes.Equal(sum[:], body[at:]) {
		return nil, fmt.Errorf("%w: the object of definitions does not have its checksum", kv.ErrDamaged)
	}
	d := decoder{rest: body[len(magic):at]}
	o := &object{store: d.identity(), number: d.number(), version: int64(d.number()), pairs: newPairs(local)}
	for range d.number() {
		if d.err != nil {
			break
		}
		l := listed{id: d.identity()}
		for range d.number() {
			if d.err != nil {
				break
			}
			l.ranges = append(l.ranges, kv.Range{Start: d.bytes(), End: d.bytes()})
		}
		o.latest = append(o.latest, l)
	}
	for d.err == nil && len(d.rest) > 0 {
		key := d.bytes()
		value := d.bytes()
		if d.err == nil {
			o.pairs.set(key, value)
		}
	}
	if d.err != nil {
		return nil, fmt.Errorf("%w: the object of definitions: %w", kv.ErrDamaged, d.err)
	}
	return o, nil
}
