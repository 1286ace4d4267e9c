package mongo

import (
	"bufio"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strconv"

	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/sqlfdb/sqlfdb/document"
)

// LargestBSON is how many bytes one document may have: MongoDB's limit, with the extra bytes that its own tools
// allow.
const LargestBSON = 16<<20 + 16<<10

// ErrBSON: bytes that are not BSON.
var ErrBSON = errors.New("not BSON")

// LooksBSON reports whether a file that begins with head may be a sequence of BSON documents: a length, then a
// type that there is, or the end.
func LooksBSON(head []byte) bool {
	if len(head) < 5 {
		return false
	}
	size := binary.LittleEndian.Uint32(head)
	if size < 5 || size > LargestBSON {
		return false
	}
	if int(size) <= len(head) && head[size-1] != 0 {
		return false
	}
	t := head[4]
	return size == 5 && t == 0 || size > 5 && (t >= 0x01 && t <= 0x13 || t == 0x7f || t == 0xff)
}

// Reader reads one BSON document behind the other.
type Reader struct {
	in     *bufio.Reader
	offset int64
	buf    []byte
}

// NewReader reads from in.
func NewReader(in *bufio.Reader) *Reader { return &Reader{in: in} }

// Next returns a document and the offset at which it begins, or as err why it is none. fatal is io.EOF at the end, or
// an error behind which the next document can't be found.
func (r *Reader) Next() (offset int64, d document.Document, err, fatal error) {
	offset = r.offset
	head, err := r.in.Peek(4)
	if err == io.EOF && len(head) == 0 {
		return offset, d, nil, io.EOF
	}
	if err != nil {
		return offset, d, nil, fmt.Errorf("byte %d: %w: the file ends within a document's length", offset, ErrBSON)
	}
	size := binary.LittleEndian.Uint32(head)
	if size < 5 || size > LargestBSON {
		return offset, d, nil, fmt.Errorf("byte %d: %w: a document of %d bytes", offset, ErrBSON, size)
	}
	if cap(r.buf) < int(size) {
		r.buf = make([]byte, size)
	}
	raw := r.buf[:size]
	if _, err := io.ReadFull(r.in, raw); err != nil {
		return offset, d, nil, fmt.Errorf("byte %d: the file ends within a document of %d bytes: %w", offset, size, err)
	}
	r.offset += int64(size)
	d, err = Document(raw)
	return offset, d, err, nil
}

// Document is a BSON document as a plain one.
func Document(raw []byte) (document.Document, error) {
	if err := bson.Raw(raw).Validate(); err != nil {
		return document.Document{}, fmt.Errorf("%w: %w", ErrBSON, err)
	}
	text, err := appendObject(make([]byte, 0, len(raw)+len(raw)/2), raw, 0)
	if err != nil {
		return document.Document{}, err
	}
	return document.Parse(text, document.Limits{})
}

func appendObject(dst []byte, raw bson.Raw, depth int) ([]byte, error) {
	elements, err := raw.Elements()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrBSON, err)
	}
	if depth > document.DefaultMaxDepth {
		return nil, document.ErrTooDeep
	}
	dst = append(dst, '{')
	for i, e := range elements {
		if i > 0 {
			dst = append(dst, ',')
		}
		if dst, err = appendText(dst, e.Key()); err != nil {
			return nil, fmt.Errorf("key %q: %w", e.Key(), err)
		}
		dst = append(dst, ':')
		if dst, err = appendValue(dst, e.Value(), depth+1); err != nil {
			return nil, err
		}
	}
	return append(dst, '}'), nil
}

func appendArray(dst []byte, raw bson.RawArray, depth int) ([]byte, error) {
	values, err := raw.Values()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrBSON, err)
	}
	if depth > document.DefaultMaxDepth {
		return nil, document.ErrTooDeep
	}
	dst = append(dst, '[')
	for i, v := range values {
		if i > 0 {
			dst = append(dst, ',')
		}
		if dst, err = appendValue(dst, v, depth+1); err != nil {
			return nil, err
		}
	}
	return append(dst, ']'), nil
}

func appendValue(dst []byte, v bson.RawValue, depth int) ([]byte, error) {
	switch v.Type {
	case bson.TypeDouble:
		return appendDouble(dst, v.Double()), nil
	case bson.TypeString:
		return appendText(dst, v.StringValue())
	case bson.TypeEmbeddedDocument:
		return appendObject(dst, v.Document(), depth)
	case bson.TypeArray:
		return appendArray(dst, v.Array(), depth)
	case bson.TypeBinary:
		if subtype, data, ok := v.BinaryOK(); ok {
			return appendBinary(dst, subtype, data), nil
		}
	case bson.TypeUndefined, bson.TypeNull:
		return append(dst, "null"...), nil
	case bson.TypeObjectID:
		id := v.ObjectID()
		return append(hex.AppendEncode(append(dst, '"'), id[:]), '"'), nil
	case bson.TypeBoolean:
		return strconv.AppendBool(dst, v.Boolean()), nil
	case bson.TypeDateTime:
		return appendDate(dst, v.DateTime()), nil
	case bson.TypeRegex:
		if pattern, options, ok := v.RegexOK(); ok {
			return appendRegex(dst, pattern, options)
		}
	case bson.TypeDBPointer:
		ref, id, ok := v.DBPointerOK()
		if !ok {
			break
		}
		dst, err := appendText(append(dst, `{"$ref":`...), ref)
		if err != nil {
			return nil, err
		}
		return append(hex.AppendEncode(append(dst, `,"$id":"`...), id[:]), `"}`...), nil
	case bson.TypeJavaScript:
		return appendText(dst, v.JavaScript())
	case bson.TypeSymbol:
		return appendText(dst, v.Symbol())
	case bson.TypeCodeWithScope:
		code, scope, ok := v.CodeWithScopeOK()
		if !ok {
			break
		}
		dst, err := appendText(append(dst, `{"code":`...), code)
		if err != nil {
			return nil, err
		}
		if dst, err = appendObject(append(dst, `,"scope":`...), scope, depth); err != nil {
			return nil, err
		}
		return append(dst, '}'), nil
	case bson.TypeInt32:
		return strconv.AppendInt(dst, int64(v.Int32()), 10), nil
	case bson.TypeTimestamp:
		t, i := v.Timestamp()
		return appendTimestamp(dst, t, i), nil
	case bson.TypeInt64:
		return strconv.AppendInt(dst, v.Int64(), 10), nil
	case bson.TypeDecimal128:
		return appendLiteral(dst, v.Decimal128().String())
	case bson.TypeMinKey:
		return append(dst, `"`+minKey+`"`...), nil
	case bson.TypeMaxKey:
		return append(dst, `"`+maxKey+`"`...), nil
	}
	return nil, fmt.Errorf("%w: a value of type %#x", ErrBSON, byte(v.Type))
}
