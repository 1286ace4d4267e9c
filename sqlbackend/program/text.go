package program

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/dolthub/vitess/go/sqltypes"
)

// maxText is how long the text of a statement that has a program may be. Longer ones are inserts of many rows, or
// lists that no other statement has.
const maxText = 8 << 10

// maxValues is how many parameters a program may have.
const maxValues = 64

// Values are the parameters of a statement.
type Values []Value

// Value is a parameter, or a literal that is one.
type Value struct {
	Kind Kind
	Text string // of a text
	Int  int64
}

// Kind is the part of a parameter that a plan depends on, beside its value.
type Kind byte

// The kinds of parameters that programs have.
const (
	Text Kind = 's'
	Int  Kind = 'i'
	Null Kind = 'n'
)

// Kinds distinguishes statements that have the same text and other parameters.
func (v Values) Kinds() string {
	var buffer [maxValues]byte
	for i := range v {
		buffer[i] = byte(v[i].Kind)
	}
	return string(buffer[:len(v)])
}

// Normal is the text of a statement with parameters for its literals: texts, and integers without a sign. It is not
// ok if the text has parts that the scan doesn't know: comments, introducers of character sets, several statements.
// into takes the values.
func Normal(query string, into Values) (text string, values Values, ok bool) {
	if len(query) > maxText {
		return "", into, false
	}
	var b strings.Builder
	b.Grow(len(query) + 8)
	values = into[:0]
	begun := 0 // where the next copied part begins
	literal := func(from, to int, v Value, spelling byte) bool {
		b.WriteString(query[begun:from])
		b.WriteByte('\x00') // no text of a statement has one
		b.WriteByte(spelling)
		values, begun = append(values, v), to
		return len(values) <= maxValues
	}
	word := false // the last byte belongs to a word
	last := byte(0)
	for i := 0; i < len(query); {
		c := query[i]
		switch {
		case c == '\'' || c == '"':
			if word || last == '\'' { // N'…', x'…', 'a' 'b'
				return "", values, false
			}
			s, end, closed := quoted(query, i)
			if !closed || !literal(i, end, Value{Kind: Text, Text: s}, spelling(c, end-i-2-len(s))) {
				return "", values, false
			}
			i, word, last = end, false, '\''
			continue
		case c == '`':
			end := strings.IndexByte(query[i+1:], '`')
			if end < 0 {
				return "", values, false
			}
			i += end + 2
			word, last = true, '`'
			continue
		case c >= '0' && c <= '9' && !word && last != '.':
			end, n, plain := integer(query, i)
			if plain && !literal(i, end, Value{Kind: Int, Int: n}, byte(Int)) {
				return "", values, false
			}
			i, word, last = end, true, '0'
			continue
		case c == ';', c == '#', c == '?', c == ':', c == '\x00', c == '@', c == '{':
			return "", values, false
		case c == '-' && strings.HasPrefix(query[i:], "--"), c == '/' && strings.HasPrefix(query[i:], "/*"):
			return "", values, false
		case c == '_' && !word: // an introducer of a character set, perhaps
			end := i + 1
			for end < len(query) && isWord(query[end]) {
				end++
			}
			if rest := strings.TrimLeft(query[end:], " \t\r\n"); rest != "" && strings.IndexByte("'\"xXbB0", rest[0]) >= 0 {
				return "", values, false
			}
			word = true
		default:
			word = isWord(c)
		}
		if c != ' ' && c != '\t' && c != '\r' && c != '\n' {
			last = c
		}
		i++
	}
	b.WriteString(query[begun:])
	return b.String(), values, true
}

// spelling is how a text is spelled: in which quotes, with how many bytes more than it has.
func spelling(quote byte, more int) byte {
	switch {
	case more > 0:
		return spelledOtherwise
	case quote == '"':
		return '"'
	}
	return byte(Text)
}

const spelledOtherwise = 'e'

// Fixed is the part of a normal text's key that its literals at some places make. It is not ok if there are several
// spellings of them: a spelling may be the name of a column.
func Fixed(normal string, values Values, at []int) (part string, ok bool) {
	if strings.Contains(normal, "\x00"+string(rune(spelledOtherwise))) {
		return "", false
	}
	b := []byte{0}
	for _, i := range at {
		if b = strconv.AppendInt(b, values[i].Int, 10); values[i].Kind == Text {
			b = strconv.AppendInt(b[:len(b)-1], int64(len(values[i].Text)), 10)
			b = append(append(b, ':'), values[i].Text...)
		}
		b = append(b, ' ')
	}
	return string(b), true
}

func isWord(c byte) bool {
	return c == '_' || c == '$' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= utf8.RuneSelf
}

// maxDigits is how many digits an integer has that is a parameter.
const maxDigits = 18

// integer reads an integer of maxDigits at most; plain is false of any other number, and of a word that begins with a
// digit.
func integer(query string, at int) (end int, n int64, plain bool) {
	end = at
	for end < len(query) && query[end] >= '0' && query[end] <= '9' {
		n = n*10 + int64(query[end]-'0')
		if end++; end-at > maxDigits {
			break
		}
	}
	plain = end-at <= maxDigits && (query[at] != '0' || end == at+1)
	for end < len(query) && (isWord(query[end]) || query[end] == '.') {
		plain = false
		end++
	}
	return end, n, plain
}

// quoted reads a text in quotes.
func quoted(query string, at int) (text string, end int, closed bool) {
	quote := query[at]
	var b []byte // nil as long as the text stands there as it is
	from := at + 1
	for i := from; i < len(query); i++ {
		switch c := query[i]; {
		case c == '\x00':
			return "", i, false
		case c == '\\':
			if i++; i == len(query) {
				return "", i, false
			}
			e := sqltypes.SQLDecodeMap[query[i]]
			if e == sqltypes.DontEscape || query[i] == '%' || query[i] == '_' {
				return "", i, false
			}
			b = append(append(b, query[from:i-1]...), e)
			from = i + 1
		case c == quote && i+1 < len(query) && query[i+1] == quote:
			b = append(b, query[from:i+1]...)
			i++
			from = i + 1
		case c == quote:
			if b == nil {
				return query[from:i], i + 1, true
			}
			return string(append(b, query[from:i]...)), i + 1, true
		}
	}
	return "", len(query), false
}
