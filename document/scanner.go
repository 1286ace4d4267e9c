package document

import (
	"math/bits"
	"strings"
	"sync"
	"unicode/utf8"
	"unsafe"
)

// Limits of a text. A zero field stands for its default.
type Limits struct {
	MaxSize  int // bytes of the compact text; DefaultMaxSize
	MaxDepth int // objects and arrays inside one another; DefaultMaxDepth
}

// Defaults and bounds of accepted texts.
const (
	// DefaultMaxSize is the largest document in bytes of compact text.
	DefaultMaxSize = 4 << 20
	// DefaultMaxDepth is MySQL's limit of nesting (JSON_DOCUMENT_MAX_DEPTH).
	DefaultMaxDepth = 100
	// MaxExponent bounds the exponent of a number's literal on both sides.
	MaxExponent = 1 << 31
)

func (l Limits) size() int {
	if l.MaxSize <= 0 {
		return DefaultMaxSize
	}
	return l.MaxSize
}

func (l Limits) depth() int {
	if l.MaxDepth <= 0 {
		return DefaultMaxDepth
	}
	return l.MaxDepth
}

// Parse checks text and returns it as a document. text stays the caller's; the
// document shares no memory with it.
//
// Errors: *SyntaxError, *DuplicateKeyError, *DepthError, *SizeError, and
// *NotObjectError when the text is any other JSON value than an object.
func Parse(text []byte, lim Limits) (Document, error) {
	v, err := ParseValue(text, lim)
	if err != nil {
		return Document{}, err
	}
	return v.Document()
}

// ParseValue is Parse for any JSON value.
func ParseValue(text []byte, lim Limits) (Value, error) {
	// The string lives no longer than this call; the remaining parts are copied below.
	s := unsafe.String(unsafe.SliceData(text), len(text))
	p := scanners.Get().(*scanner)
	p.text, p.maxDepth, p.maxSize = s, lim.depth(), lim.size()
	err := p.scan()
	out, size := p.out, p.size
	p.reset()
	scanners.Put(p)
	if err != nil {
		return Value{}, err
	}
	if size > lim.size() {
		return Value{}, &SizeError{Size: size, Limit: lim.size()}
	}
	if out == nil {
		return Value{raw: strings.Clone(s)}, nil
	}
	return Value{raw: unsafe.String(unsafe.SliceData(out), len(out))}, nil
}

var scanners = sync.Pool{New: func() any { return new(scanner) }}

// scanner checks one text in one pass, without recursion. Runs of bytes
// without white space between tokens are copied whole.
type scanner struct {
	text     string
	maxDepth int
	maxSize  int
	frames   []frame  // the open objects and arrays, innermost last
	keys     []string // the unescaped keys of the open objects; each frame has its part
	out      []byte   // the text before from, compact; nil while nothing was dropped
	from     int      // start of the run that is not in out yet
	size     int      // bytes of the compact text before from
}

// frame is one open object or array.
type frame struct {
	array bool
	keys  int    // where its keys start in scanner.keys
	mask  uint64 // bit keyBit(k) is set for each of its keys k
	index map[string]struct{}
}

// indexedKeys is the number of keys from which an object's are looked up in a
// map, not by comparing them all.
const indexedKeys = 16

// reset readies the scanner for the next text. The elements beyond the lengths of frames
// and keys are not read again, so they aren't cleared.
func (p *scanner) reset() {
	*p = scanner{frames: p.frames[:0], keys: p.keys[:0]}
	if cap(p.keys) > 4096 {
		p.keys = nil
	}
}

// space drops the white space at i, where a byte up to ' ' stands, and returns
// the offset of the first byte after it.
func (p *scanner) space(i int) int {
	s, end := p.text, i
	for end < len(s) && (s[end] == ' ' || s[end] == '\n' || s[end] == '\r' || s[end] == '\t') {
		end++
	}
	if end == i {
		return i
	}
	p.flush(i)
	p.from = end
	return end
}

// flush moves the run that ends at i to out.
func (p *scanner) flush(i int) {
	p.size += i - p.from
	if p.size > p.maxSize {
		return // it will be refused: only its size still matters
	}
	if p.out == nil {
		p.out = make([]byte, 0, len(p.text)-1)
	}
	p.out = append(p.out, p.text[p.from:i]...)
	p.from = i
}

// scan checks the whole text.
func (p *scanner) scan() error {
	s := p.text
	i := 0
	var keyStart, keyEnd int
	var escaped bool
	var err error

value:
	if i < len(s) && s[i] <= ' ' {
		i = p.space(i)
	}
	if i >= len(s) {
		return p.unexpected(i, "a value")
	}
	switch s[i] {
	case '{':
		if len(p.frames) == p.maxDepth {
			return &DepthError{Limit: p.maxDepth, Offset: i}
		}
		p.frames = append(p.frames, frame{keys: len(p.keys)})
		i++
		if i < len(s) && s[i] <= ' ' {
			i = p.space(i)
		}
		if i < len(s) && s[i] == '}' {
			i++
			p.frames = p.frames[:len(p.frames)-1]
			goto after
		}
		if i >= len(s) || s[i] != '"' {
			return p.unexpected(i, "a key or '}'")
		}
		goto key
	case '[':
		if len(p.frames) == p.maxDepth {
			return &DepthError{Limit: p.maxDepth, Offset: i}
		}
		p.frames = append(p.frames, frame{array: true, keys: len(p.keys)})
		i++
		if i < len(s) && s[i] <= ' ' {
			i = p.space(i)
		}
		if i < len(s) && s[i] == ']' {
			i++
			p.frames = p.frames[:len(p.frames)-1]
			goto after
		}
		goto value
	case '"':
		if i, _, err = scanString(s, i+1); err != nil {
			return err
		}
	case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		if i, err = scanNumber(s, i); err != nil {
			return err
		}
	case 't':
		if !strings.HasPrefix(s[i:], "true") {
			return p.badWord(i)
		}
		i += 4
	case 'f':
		if !strings.HasPrefix(s[i:], "false") {
			return p.badWord(i)
		}
		i += 5
	case 'n':
		if !strings.HasPrefix(s[i:], "null") {
			return p.badWord(i)
		}
		i += 4
	default:
		return p.badWord(i)
	}

after:
	if i < len(s) && s[i] <= ' ' {
		i = p.space(i)
	}
	if len(p.frames) == 0 {
		if i < len(s) {
			return syntaxError(s, i, "found %s after the end of the value", describeAt(s, i))
		}
		if p.out != nil || p.from > 0 {
			p.flush(i)
		} else {
			p.size = i
		}
		return nil
	}
	{
		top := &p.frames[len(p.frames)-1]
		if i >= len(s) {
			return p.unexpected(i, expectedIn(top.array))
		}
		switch c := s[i]; {
		case c == ',':
			i++
			if top.array {
				goto value
			}
			if i < len(s) && s[i] <= ' ' {
				i = p.space(i)
			}
			if i >= len(s) || s[i] != '"' {
				return p.unexpected(i, "a key")
			}
		case c == ']' && top.array, c == '}' && !top.array:
			i++
			p.keys = p.keys[:top.keys]
			top.index = nil
			p.frames = p.frames[:len(p.frames)-1]
			goto after
		default:
			return p.unexpected(i, expectedIn(top.array))
		}
	}

key:
	keyStart = i
	i, escaped, err = scanString(s, i+1)
	if err != nil {
		return err
	}
	keyEnd = i
	{
		name := s[keyStart+1 : keyEnd-1]
		if escaped {
			name = string(appendUnescaped(nil, name))
		}
		if p.addKey(name) {
			return &DuplicateKeyError{Key: strings.Clone(name), Path: p.path(name), Offset: keyStart}
		}
	}
	if i < len(s) && s[i] <= ' ' {
		i = p.space(i)
	}
	if i >= len(s) || s[i] != ':' {
		return p.unexpected(i, "':' after a key")
	}
	i++
	goto value
}

func expectedIn(array bool) string {
	if array {
		return "',' or ']'"
	}
	return "',' or '}'"
}

func (p *scanner) unexpected(i int, expected string) error {
	s := p.text
	if i >= len(s) && strings.Trim(s, " \t\r\n") == "" {
		return syntaxError(s, i, "the text is empty")
	}
	if i < len(s) && (s[i] == ']' || s[i] == '}') && (expected == "a value" || expected == "a key") {
		expected += " (a comma too many?)"
	}
	return syntaxError(s, i, "found %s, expected %s", describeAt(s, i), expected)
}

// badWord is the error for a byte that no value starts with, or a word that
// JSON doesn't have.
func (p *scanner) badWord(i int) error {
	s := p.text
	end := i
	for end < len(s) && end-i < 20 && ('a' <= s[end]|0x20 && s[end]|0x20 <= 'z' || '0' <= s[end] && s[end] <= '9') {
		end++
	}
	if end == i {
		return p.unexpected(i, "a value")
	}
	word := s[i:end]
	for _, literal := range []string{"true", "false", "null"} {
		if end == len(s) && strings.HasPrefix(literal, word) {
			return syntaxError(s, end, "found the end of the text within %s", literal)
		}
		if strings.EqualFold(word, literal) {
			return syntaxError(s, i, "found %s, which JSON writes %s", word, literal)
		}
	}
	return syntaxError(s, i, "found %s, expected a value", word)
}

// addKey adds a key to the innermost object and reports whether it was there
// before.
func (p *scanner) addKey(name string) (duplicate bool) {
	top := &p.frames[len(p.frames)-1]
	bit := keyBit(name)
	if top.index != nil {
		if _, ok := top.index[name]; ok {
			return true
		}
		top.index[name] = struct{}{}
	} else if top.mask&bit != 0 {
		for _, other := range p.keys[top.keys:] {
			if other == name {
				return true
			}
		}
	}
	top.mask |= bit
	p.keys = append(p.keys, name)
	if n := len(p.keys) - top.keys; n == indexedKeys {
		top.index = make(map[string]struct{}, 4*indexedKeys)
		for _, other := range p.keys[top.keys:] {
			top.index[other] = struct{}{}
		}
	}
	return false
}

// keyBit hashes a key to one of 64 bits: most keys of a small object are known
// to be new without comparing any.
func keyBit(name string) uint64 {
	n := len(name)
	if n == 0 {
		return 1
	}
	h := uint(n) + uint(name[0])*7 + uint(name[n-1])*31 + uint(name[n/2])*17
	return 1 << (h & 63)
}

// path spells the keypath of name in the innermost object.
func (p *scanner) path(name string) string {
	var path []byte
	for i, f := range p.frames {
		if f.array {
			path = append(path, "[*]"...)
			continue
		}
		key := name
		if i+1 < len(p.frames) {
			key = p.keys[p.frames[i+1].keys-1]
		}
		if len(path) > 0 {
			path = append(path, '.')
		}
		path = appendName(path, key)
	}
	return string(path)
}

const (
	everyByte = 0x0101010101010101
	highBits  = 0x8080808080808080
)

// load8 reads the eight bytes of s at i.
func load8(s string, i int) uint64 {
	b := s[i : i+8]
	return uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
		uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
}

// scanString checks a string from i, the offset after its opening quote, and
// returns the offset after the closing one.
func scanString(s string, i int) (end int, escaped bool, err error) {
	start := i
	for {
		// Eight bytes at a time: the lowest marked byte is certainly a quote, a backslash, a
		// control character or not ASCII. See Bit Twiddling Hacks, "Determine if a word has a
		// byte less than n".
		for i+8 <= len(s) {
			w := load8(s, i)
			quote := w ^ '"'*everyByte
			slash := w ^ '\\'*everyByte
			m := ((quote-everyByte)&^quote | (slash-everyByte)&^slash | (w-' '*everyByte)&^w | w) & highBits
			if m != 0 {
				i += bits.TrailingZeros64(m) >> 3
				break
			}
			i += 8
		}
		if i >= len(s) {
			return i, escaped, syntaxError(s, i, "found the end of the text within the string that starts at byte %d", start-1)
		}
		switch c := s[i]; {
		case c == '"':
			return i + 1, escaped, nil
		case c == '\\':
			escaped = true
			if i, err = scanEscape(s, i); err != nil {
				return i, escaped, err
			}
		case c < ' ':
			return i, escaped, syntaxError(s, i, "found %s in a string, where it must be escaped", describeAt(s, i))
		case c < utf8.RuneSelf:
			i++
		default:
			r, size := utf8.DecodeRuneInString(s[i:])
			if r == utf8.RuneError && size == 1 {
				return i, escaped, syntaxError(s, i, "found the byte 0x%02x in a string, which is not valid UTF-8", c)
			}
			i += size
		}
	}
}

// scanEscape checks the escape at i, where its backslash stands, and returns
// the offset after it. The two escapes of a surrogate pair are one.
func scanEscape(s string, i int) (end int, err error) {
	if i+1 >= len(s) {
		return i, syntaxError(s, len(s), "found the end of the text within an escape")
	}
	switch s[i+1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return i + 2, nil
	case 'u':
	default:
		return i, syntaxError(s, i, "found \\ before %s in a string, which is no escape", describeAt(s, i+1))
	}
	r, err := scanHex(s, i)
	switch {
	case err != nil:
		return i, err
	case r < 0xd800 || r > 0xdfff:
		return i + 6, nil
	case r >= 0xdc00:
		return i, syntaxError(s, i, "found the second half of a surrogate pair, %s, without the first", s[i:i+6])
	}
	if strings.HasPrefix(`\u`, s[i+6:]) && len(s) < i+8 {
		return i, syntaxError(s, len(s), "found the end of the text within a surrogate pair")
	}
	if !strings.HasPrefix(s[i+6:], `\u`) {
		return i, syntaxError(s, i, "found the first half of a surrogate pair, %s, without the second", s[i:i+6])
	}
	low, err := scanHex(s, i+6)
	if err != nil {
		return i, err
	}
	if low < 0xdc00 || low > 0xdfff {
		return i, syntaxError(s, i, "found the first half of a surrogate pair, %s, without the second", s[i:i+6])
	}
	return i + 12, nil
}

// scanHex reads the four digits of the \u escape at i.
func scanHex(s string, i int) (rune, error) {
	var r rune
	for j := i + 2; j < i+6; j++ {
		if j >= len(s) {
			return 0, syntaxError(s, j, "found the end of the text within an escape")
		}
		d := hexDigit(s[j])
		if d < 0 {
			return 0, syntaxError(s, j, "found %s, expected one of the four hexadecimal digits of a \\u escape",
				describeAt(s, j))
		}
		r = r<<4 | d
	}
	return r, nil
}

func hexDigit(c byte) rune {
	switch {
	case '0' <= c && c <= '9':
		return rune(c - '0')
	case 'a' <= c && c <= 'f':
		return rune(c-'a') + 10
	case 'A' <= c && c <= 'F':
		return rune(c-'A') + 10
	}
	return -1
}

func isDigit(c byte) bool { return c-'0' <= 9 }

// scanNumber checks the number that starts at i and returns the offset after
// it.
func scanNumber(s string, i int) (end int, err error) {
	start := i
	if s[i] == '-' {
		i++
		if i >= len(s) || !isDigit(s[i]) {
			return i, syntaxError(s, i, "found %s, expected a digit after '-'", describeAt(s, i))
		}
	}
	if s[i] == '0' {
		i++
		if i < len(s) && isDigit(s[i]) {
			return i, syntaxError(s, start, "found a number with a leading zero")
		}
	} else {
		for i++; i < len(s) && isDigit(s[i]); i++ {
		}
	}
	if i < len(s) && s[i] == '.' {
		i++
		if i >= len(s) || !isDigit(s[i]) {
			return i, syntaxError(s, i, "found %s, expected a digit after the decimal point", describeAt(s, i))
		}
		for i++; i < len(s) && isDigit(s[i]); i++ {
		}
	}
	if i < len(s) && s[i]|0x20 == 'e' {
		i++
		if i < len(s) && (s[i] == '+' || s[i] == '-') {
			i++
		}
		if i >= len(s) || !isDigit(s[i]) {
			return i, syntaxError(s, i, "found %s, expected a digit of the exponent", describeAt(s, i))
		}
		exponent := int64(0)
		for ; i < len(s) && isDigit(s[i]); i++ {
			if exponent = exponent*10 + int64(s[i]-'0'); exponent > MaxExponent {
				return i, syntaxError(s, start, "found a number with an exponent beyond %d", int64(MaxExponent))
			}
		}
	}
	return i, nil
}
