package functions

import (
	"fmt"
	"strings"
	"sync/atomic"
	"unicode/utf8"
	"unsafe"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"

	"github.com/sqlfdb/sqlfdb/collation"
	"github.com/sqlfdb/sqlfdb/sqlbackend/hold"
	"github.com/sqlfdb/sqlfdb/sqlbackend/pushdown"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// textLike is LIKE on strings in one of our collations, character by character as in MySQL. The engine's has weights
// of its own, and finds nothing in a string with U+FFFD.
type textLike struct {
	expression.BinaryExpressionStub
	escape sql.Expression // nil means a backslash
	coll   *collation.Collation
	// bytes says that a side is a byte string, in which _ matches one byte.
	bytes bool
	last  *atomic.Pointer[likePattern]
}

var (
	_ sql.Expression         = (*textLike)(nil)
	_ sql.CollationCoercible = (*textLike)(nil)
	_ pushdown.Like          = (*textLike)(nil)
)

// NewTextLike returns LIKE over texts in a collation.
func NewTextLike(value, pattern, escape sql.Expression, coll *collation.Collation) sql.Expression {
	return &textLike{
		BinaryExpressionStub: expression.BinaryExpressionStub{LeftChild: value, RightChild: pattern},
		escape:               escape, coll: coll, last: new(atomic.Pointer[likePattern]),
	}
}

// NewByteLike returns LIKE with a byte string on one side.
func NewByteLike(value, pattern, escape sql.Expression) sql.Expression {
	return &textLike{
		BinaryExpressionStub: expression.BinaryExpressionStub{LeftChild: value, RightChild: pattern},
		escape:               escape, coll: collation.Binary, bytes: true, last: new(atomic.Pointer[likePattern]),
	}
}

// PushdownLike implements pushdown.Like.
func (l *textLike) PushdownLike() pushdown.LikeParts {
	return pushdown.LikeParts{Value: l.LeftChild, Pattern: l.RightChild, Escape: l.escape, Collation: l.coll}
}

// Type implements sql.Expression.
func (l *textLike) Type() sql.Type { return types.Boolean }

// CollationCoercibility implements sql.CollationCoercible.
func (l *textLike) CollationCoercibility(ctx *sql.Context) (sql.CollationID, byte) {
	return sql.GetCoercibility(ctx, l.LeftChild)
}

// WithChildren implements sql.Expression.
func (l *textLike) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 2 {
		return nil, sql.ErrInvalidChildrenNumber.New(l, len(children), 2)
	}
	next := *l
	next.LeftChild, next.RightChild, next.last = children[0], children[1], new(atomic.Pointer[likePattern])
	return &next, nil
}

// String implements fmt.Stringer. A CHECK is stored as this text.
func (l *textLike) String() string {
	text := fmt.Sprintf("%s LIKE %s", l.LeftChild, l.RightChild)
	if l.escape != nil {
		text += fmt.Sprintf(" ESCAPE %s", l.escape)
	}
	return text
}

// Eval implements sql.Expression.
func (l *textLike) Eval(ctx *sql.Context, row sql.Row) (interface{}, error) {
	v, err := l.LeftChild.Eval(ctx, row)
	if err != nil || v == nil {
		return nil, err
	}
	pattern, err := l.RightChild.Eval(ctx, row)
	if err != nil || pattern == nil {
		return nil, err
	}
	text, err := value.TextOf(ctx, v)
	if err != nil {
		return nil, err
	}
	like, err := value.TextOf(ctx, pattern)
	if err != nil {
		return nil, err
	}
	escape, err := l.escapeText(ctx, row)
	if err != nil {
		return nil, err
	}
	if l.bytes {
		text, like = bytesAsCharacters(text), bytesAsCharacters(like)
	}
	p := l.last.Load()
	if p == nil || p.text != like || p.escape != escape {
		p = &likePattern{coll: l.coll, text: like, escape: escape}
		if err := hold.Made(ctx, p, len(like)*int(unsafe.Sizeof(likePart{}))); err != nil {
			return nil, err
		}
		p.take()
		l.last.Store(p)
	}
	pace := hold.Pace{Ctx: ctx}
	is := p.matches(&pace, text)
	return is, pace.Err
}

// bytesAsCharacters returns a text with a character for each byte.
func bytesAsCharacters(s string) string {
	if IsASCII(s) {
		return s
	}
	var out strings.Builder
	for i := 0; i < len(s); i++ {
		out.WriteRune(rune(s[i]))
	}
	return out.String()
}

// escapeText returns the escape character; empty if there is none.
func (l *textLike) escapeText(ctx *sql.Context, row sql.Row) (string, error) {
	if l.escape == nil {
		return `\`, nil
	}
	v, err := l.escape.Eval(ctx, row)
	if err != nil {
		return "", err
	}
	if v == nil {
		return `\`, nil
	}
	s, err := value.TextOf(ctx, v)
	if err == nil && utf8.RuneCountInString(s) > 1 {
		err = mysql.NewSQLError(errWrongArguments, "HY000", "Incorrect arguments to ESCAPE")
	}
	return s, err
}

// likePattern is a parsed pattern. It is immutable.
type likePattern struct {
	coll         *collation.Collation
	text, escape string
	parts        []likePart
}

type likePart struct {
	kind byte   // '%', '_', or 0 for a character
	char rune   // the character, U+FFFD for an invalid byte
	text string // the same as bytes
}

// take parses the pattern.
func (p *likePattern) take() {
	text, escape := p.text, p.escape
	p.parts = make([]likePart, 0, utf8.RuneCountInString(text))
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		switch c := text[i : i+n]; {
		case c == escape && i+n < len(text): // a final one means itself
			i += n
			r, n = utf8.DecodeRuneInString(text[i:])
			p.parts = append(p.parts, likePart{char: r, text: text[i : i+n]})
		case r == '%':
			if len(p.parts) == 0 || p.parts[len(p.parts)-1].kind != '%' {
				p.parts = append(p.parts, likePart{kind: '%'})
			}
		case r == '_':
			p.parts = append(p.parts, likePart{kind: '_'})
		default:
			p.parts = append(p.parts, likePart{char: r, text: c})
		}
		i += n
	}
}

// matches compares from the left; after a mismatch, the last % takes one more character.
func (p *likePattern) matches(pace *hold.Pace, s string) bool {
	at, part := 0, 0
	retryAt, retryPart := -1, -1 // after the last %
	for (at < len(s) || part < len(p.parts)) && pace.Step() {
		if part < len(p.parts) {
			if p.parts[part].kind == '%' {
				part++
				retryAt, retryPart = at, part
				if part == len(p.parts) {
					return true
				}
				continue
			}
			if at < len(s) {
				r, n := utf8.DecodeRuneInString(s[at:])
				if p.is(p.parts[part], r, s[at:at+n]) {
					at, part = at+n, part+1
					continue
				}
			}
		}
		if retryAt < 0 || retryAt >= len(s) {
			return false
		}
		_, n := utf8.DecodeRuneInString(s[retryAt:])
		retryAt += n
		at, part = retryAt, retryPart
	}
	return true
}

// is compares one character.
func (p *likePattern) is(part likePart, r rune, text string) bool {
	switch {
	case part.kind == '_' || part.text == text:
		return true
	case p.coll.IsIdentity():
		return false
	}
	return p.coll.EqualRunes(part.char, r)
}
