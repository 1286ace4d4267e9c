package regexps

import (
	"context"
	"encoding/binary"
	"math"
	"unicode/utf16"

	regex "github.com/dolthub/go-icu-regex"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"
)

// A pattern is matched by ICU's library, in its sandbox, which tries one way after the other. The pattern ^(a+)+$
// doubles the ways with each character, and neither KILL nor a lost connection stops that. The library has a limit
// for it, which MySQL sets (regexp_time_limit), but the package around the library has no setting. So our matcher
// makes the library's calls itself, and writes the limit into the library's memory.

// MySQL's error numbers for a match that begins outside of the text, takes too long, or needs too much memory.
const (
	errOutOfBounds   = 3686
	errStackOverflow = 3698
	ErrTimeOut       = 3699
)

// The library's error codes.
const (
	icuOutOfBounds   = 8     // U_INDEX_OUTOFBOUNDS_ERROR
	icuStackOverflow = 66321 // U_REGEX_STACK_OVERFLOW
	icuTimeOut       = 66322 // U_REGEX_TIME_OUT
)

// Offsets in the compiled library's memory: TestRegexpLimits fails if they change.
const (
	icuMatcherAt   = 20  // in a RegularExpression: its RegexMatcher
	icuTimeLimitAt = 224 // in a RegexMatcher: steps of ten thousand states, for all matches of one text
)

// Matcher is a compiled pattern.
type Matcher struct {
	Sandbox *sandbox
	pattern uint32 // the library's URegularExpression
	text    uint32 // the library's copy of the text
	length  int    // of the text, in units of UTF-16
	code    uint32 // address where the library writes error codes
	owned   []uint32
	Limit   uint32 // the library's
	// Unlimited says that no limit is set: the library's is doubled each time that it is reached, unless the
	// statement has been killed.
	Unlimited bool
	from      int // where the search for the first match begins
	matches   int // number of matches found since then
}

// firstLimit is the library's first limit if none is set.
const firstLimit = 64

// NewMatcher compiles a pattern.
func NewMatcher(ctx context.Context, pattern string, flags regex.RegexFlags) (m *Matcher, err error) {
	sandbox, err := takeSandbox(ctx)
	if err != nil {
		return nil, err
	}
	m = &Matcher{Sandbox: sandbox}
	defer func() {
		if err != nil {
			m.Close()
			m = nil
		}
	}()
	if m.code, err = m.allocate(ctx, 4); err != nil {
		return m, err
	}
	m.owned = append(m.owned, m.code)
	at, length, err := m.copied(ctx, pattern)
	if err != nil {
		return m, err
	}
	m.owned = append(m.owned, at)
	opened, code, err := m.Call(ctx, "uregex_open_68", uint64(at), uint64(length), uint64(flags), 0)
	if err != nil {
		return m, err
	}
	if code > 0 {
		return m, regex.ErrInvalidRegex.New()
	}
	m.pattern = uint32(opened)
	m.Limit = timeLimit()
	if m.Unlimited = m.Limit == 0; m.Unlimited {
		m.Limit = firstLimit
	}
	m.SetLimit()
	return m, nil
}

// SetLimit writes the limit into the library's memory.
func (m *Matcher) SetLimit() {
	memory := m.Sandbox.Module.Memory()
	matcher, _ := memory.ReadUint32Le(m.pattern + icuMatcherAt)
	memory.WriteUint32Le(matcher+icuTimeLimitAt, m.Limit)
}

// timeLimit returns MySQL's setting regexp_time_limit.
func timeLimit() uint32 {
	const usual = 32
	if _, v, ok := sql.SystemVariables.GetGlobal("regexp_time_limit"); ok {
		if n, _, err := types.Uint32.Convert(context.Background(), v); err == nil {
			if limit, ok := n.(uint32); ok {
				return limit
			}
		}
	}
	return usual
}

// SetText sets the text to match.
func (m *Matcher) SetText(ctx context.Context, text string) error {
	m.dropText()
	at, length, err := m.copied(ctx, text)
	if err != nil {
		return err
	}
	m.text, m.length = at, length
	_, code, err := m.Call(ctx, "uregex_setText_68", uint64(m.pattern), uint64(at), uint64(length))
	if err != nil {
		return err
	}
	return failure(code)
}

// Find reports whether the pattern matches anywhere in the text, beginning at a unit of UTF-16.
func (m *Matcher) Find(ctx context.Context, from int) (bool, error) {
	m.from, m.matches = from, 0
	found, code, err := m.again(ctx)
	return m.found(ctx, found, code, err)
}

// FindNext reports whether the pattern matches again, after the last match.
func (m *Matcher) FindNext(ctx context.Context) (bool, error) {
	found, code, err := m.Call(ctx, "uregex_findNext_68", uint64(m.pattern))
	return m.found(ctx, found, code, err)
}

// found returns the library's result. With Unlimited, it doubles the limit and searches again when the limit is
// reached.
func (m *Matcher) found(ctx context.Context, found uint64, code int32, err error) (bool, error) {
	for err == nil && code == icuTimeOut && m.Unlimited {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		m.Limit = min(2*m.Limit, math.MaxInt32)
		m.SetLimit()
		found, code, err = m.again(ctx)
	}
	if err == nil {
		err = failure(code)
	}
	if err != nil || uint32(found) == 0 {
		return false, err
	}
	m.matches++
	return true, nil
}

// again searches for the first match, and for as many after it as have been found.
func (m *Matcher) again(ctx context.Context) (found uint64, code int32, err error) {
	found, code, err = m.Call(ctx, "uregex_find_68", uint64(m.pattern), uint64(m.from))
	for n := 0; n < m.matches && err == nil && code <= 0; n++ {
		found, code, err = m.Call(ctx, "uregex_findNext_68", uint64(m.pattern))
	}
	return found, code, err
}

// Bounds returns the start and end of the match, in units of UTF-16.
func (m *Matcher) Bounds(ctx context.Context) (start, end int, err error) {
	for function, at := range map[string]*int{"uregex_start_68": &start, "uregex_end_68": &end} {
		found, code, err := m.Call(ctx, function, uint64(m.pattern), 0)
		if err == nil {
			err = failure(code)
		}
		if err != nil {
			return 0, 0, err
		}
		*at = int(int32(found))
	}
	return start, end, nil
}

// replace returns the text with the n-th match from a unit of UTF-16 on replaced, or all of them if n is 0.
func (m *Matcher) replace(ctx context.Context, by string, from, n int) (string, error) {
	given, given16, err := m.copied(ctx, by)
	if err != nil {
		return "", err
	}
	defer m.free(given)
	// The library's function has the place for the length of its result where others have that for an error.
	made, length, err := m.Call(ctx, "replace", uint64(m.pattern), uint64(given), uint64(given16), uint64(m.text),
		uint64(m.length), uint64(from), uint64(n))
	if err != nil {
		return "", err
	}
	defer m.free(uint32(made))
	return m.textIn(uint32(made), int(length)), nil
}

// part returns a part of the text.
func (m *Matcher) part(start, end int) string {
	return m.textIn(m.text+2*uint32(start), end-start)
}

// textIn returns a text in the library's memory, of so many units of UTF-16.
func (m *Matcher) textIn(at uint32, length int) string {
	bytes, _ := m.Sandbox.Module.Memory().Read(at, 2*uint32(length))
	units := make([]uint16, len(bytes)/2)
	for i := range units {
		units[i] = binary.LittleEndian.Uint16(bytes[2*i:])
	}
	return string(utf16.Decode(units))
}

// failure returns MySQL's error for an error code of the library.
func failure(code int32) error {
	switch {
	case code <= 0: // warnings are negative
		return nil
	case code == icuOutOfBounds:
		return mysql.NewSQLError(errOutOfBounds, "HY000", "Index out of bounds in regular expression search.")
	case code == icuTimeOut:
		return mysql.NewSQLError(ErrTimeOut, "HY000", "Timeout exceeded in regular expression match.")
	case code == icuStackOverflow:
		return mysql.NewSQLError(errStackOverflow, "HY000", "Overflow in the regular expression backtrack stack.")
	}
	return mysql.NewSQLError(mysql.ERUnknownError, "HY000", "Regular expression match failed: %d", code)
}

// Call calls a function of the library whose last argument is the address for error codes.
func (m *Matcher) Call(ctx context.Context, function string, args ...uint64) (result uint64, code int32,
	err error) {
	return m.Sandbox.call(ctx, m.code, function, append(args, uint64(m.code))...)
}

// copied copies a text into the library's memory, and returns its address and length in units of UTF-16.
func (m *Matcher) copied(ctx context.Context, text string) (at uint32, length int, err error) {
	units := utf16.Encode([]rune(text))
	if at, err = m.allocate(ctx, 2*len(units)); err != nil {
		return 0, 0, err
	}
	out := make([]byte, 2*len(units))
	for i, u := range units {
		out[2*i], out[2*i+1] = byte(u), byte(u>>8)
	}
	m.Sandbox.Module.Memory().Write(at, out)
	return at, len(units), nil
}

// allocate allocates memory of the library.
func (m *Matcher) allocate(ctx context.Context, bytes int) (uint32, error) {
	at, _, err := m.Sandbox.call(ctx, 0, "malloc", uint64(max(bytes, 2)))
	if err != nil {
		return 0, err
	}
	if uint32(at) == 0 {
		return 0, failure(icuStackOverflow)
	}
	return uint32(at), nil
}

// free frees memory of the library.
func (m *Matcher) free(at uint32) {
	if !m.Sandbox.trapped {
		_, _, _ = m.Sandbox.call(context.Background(), 0, "free", uint64(at))
	}
}

// dropText frees the text's memory.
func (m *Matcher) dropText() {
	if m.text != 0 {
		m.free(m.text)
		m.text = 0
	}
}

// Close frees the matcher's memory in the sandbox.
func (m *Matcher) Close() {
	if m.pattern != 0 && !m.Sandbox.trapped {
		_, _, _ = m.Sandbox.call(context.Background(), 0, "uregex_close_68", uint64(m.pattern))
	}
	m.dropText()
	for _, at := range m.owned {
		m.free(at)
	}
	m.Sandbox.leave()
}
