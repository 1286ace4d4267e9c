package sqlbackend

import (
	"context"
	"sync"
	"unicode/utf16"

	regex "github.com/dolthub/go-icu-regex"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"
	"github.com/tetratelabs/wazero/api"
)

// A pattern is matched by ICU's library, in its sandbox, by trying one way after the other. ^(a+)+$ doubles them with each character, and neither KILL nor
// a lost connection has a hold on that. The library has a limit for it, which MySQL sets (regexp_time_limit); the package around the
// library has not. So a matcher of ours makes the library's calls itself, and writes the limit where the library keeps it.

// MySQL's errors of a match that takes too long, or too much memory.
const (
	errRegexpStackOverflow = 3698
	errRegexpTimeOut       = 3699
)

// The library's codes.
const (
	icuStackOverflow = 66321 // U_REGEX_STACK_OVERFLOW
	icuTimeOut       = 66322 // U_REGEX_TIME_OUT
)

// Where the library keeps things, as it is compiled: TestRegexpLimits fails where that is no longer so.
const (
	icuMatcherAt   = 20  // of a RegularExpression: its RegexMatcher
	icuTimeLimitAt = 224 // of a RegexMatcher: steps of ten thousand states, of all matches of one text
)

// icuModules are sandboxes of the library's, each for one pattern at a time.
var icuModules = sync.OnceValue(regex.NewPool)

// regexpMatcher is a compiled pattern.
type regexpMatcher struct {
	module  api.Module
	pattern uint32 // the library's URegularExpression
	text    uint32 // the library's copy of the text
	code    uint32 // where the library tells of failures
	owned   []uint32
}

// newRegexpMatcher compiles a pattern.
func newRegexpMatcher(ctx context.Context, pattern string, flags regex.RegexFlags) (m *regexpMatcher, err error) {
	m = &regexpMatcher{module: icuModules().Get()}
	defer func() {
		if err != nil {
			m.close()
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
	opened, code, err := m.call(ctx, "uregex_open_68", uint64(at), uint64(length), uint64(flags), 0)
	if err != nil {
		return m, err
	}
	if code > 0 {
		return m, regex.ErrInvalidRegex.New()
	}
	m.pattern = uint32(opened)
	matcher, _ := m.module.Memory().ReadUint32Le(m.pattern + icuMatcherAt)
	m.module.Memory().WriteUint32Le(matcher+icuTimeLimitAt, regexpTimeLimit())
	return m, nil
}

// regexpTimeLimit is MySQL's setting.
func regexpTimeLimit() uint32 {
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

// setText sets the text that is to be matched.
func (m *regexpMatcher) setText(ctx context.Context, text string) error {
	m.dropText()
	at, length, err := m.copied(ctx, text)
	if err != nil {
		return err
	}
	m.text = at
	_, code, err := m.call(ctx, "uregex_setText_68", uint64(m.pattern), uint64(at), uint64(length))
	if err != nil {
		return err
	}
	return regexpFailure(code)
}

// find reports whether the pattern matches anywhere in the text, from a unit of UTF-16 on.
func (m *regexpMatcher) find(ctx context.Context, from int) (bool, error) {
	found, code, err := m.call(ctx, "uregex_find_68", uint64(m.pattern), uint64(from))
	if err == nil {
		err = regexpFailure(code)
	}
	return err == nil && uint32(found) != 0, err
}

// findNext reports whether it matches again, behind the match before.
func (m *regexpMatcher) findNext(ctx context.Context) (bool, error) {
	found, code, err := m.call(ctx, "uregex_findNext_68", uint64(m.pattern))
	if err == nil {
		err = regexpFailure(code)
	}
	return err == nil && uint32(found) != 0, err
}

// regexpFailure is MySQL's error for a code of the library's.
func regexpFailure(code int32) error {
	switch {
	case code <= 0: // warnings are negative
		return nil
	case code == icuTimeOut:
		return mysql.NewSQLError(errRegexpTimeOut, "HY000", "Timeout exceeded in regular expression match.")
	case code == icuStackOverflow:
		return mysql.NewSQLError(errRegexpStackOverflow, "HY000", "Overflow in the regular expression backtrack stack.")
	}
	return mysql.NewSQLError(mysql.ERUnknownError, "HY000", "Regular expression match failed: %d", code)
}

// call calls a function of the library's whose last argument is where it is to tell of failures.
func (m *regexpMatcher) call(ctx context.Context, function string, args ...uint64) (result uint64, code int32, err error) {
	m.module.Memory().WriteUint32Le(m.code, 0)
	results, err := m.module.ExportedFunction(function).Call(ctx, append(args, uint64(m.code))...)
	if err != nil {
		return 0, 0, err
	}
	if len(results) > 0 {
		result = results[0]
	}
	failure, _ := m.module.Memory().ReadUint32Le(m.code)
	return result, int32(failure), nil
}

// copied is a text in the library's memory: where, and how many units of UTF-16.
func (m *regexpMatcher) copied(ctx context.Context, text string) (at uint32, length int, err error) {
	units := utf16.Encode([]rune(text))
	if at, err = m.allocate(ctx, 2*len(units)); err != nil {
		return 0, 0, err
	}
	out := make([]byte, 2*len(units))
	for i, u := range units {
		out[2*i], out[2*i+1] = byte(u), byte(u>>8)
	}
	m.module.Memory().Write(at, out)
	return at, len(units), nil
}

// allocate takes memory of the library's.
func (m *regexpMatcher) allocate(ctx context.Context, bytes int) (uint32, error) {
	results, err := m.module.ExportedFunction("malloc").Call(ctx, uint64(max(bytes, 2)))
	if err != nil {
		return 0, err
	}
	if uint32(results[0]) == 0 {
		return 0, regexpFailure(icuStackOverflow)
	}
	return uint32(results[0]), nil
}

// dropText gives the text's memory back.
func (m *regexpMatcher) dropText() {
	if m.text != 0 {
		_, _ = m.module.ExportedFunction("free").Call(context.Background(), uint64(m.text))
		m.text = 0
	}
}

// close gives the sandbox back.
func (m *regexpMatcher) close() {
	ctx := context.Background()
	if m.pattern != 0 {
		_, _ = m.module.ExportedFunction("uregex_close_68").Call(ctx, uint64(m.pattern))
	}
	m.dropText()
	for _, at := range m.owned {
		_, _ = m.module.ExportedFunction("free").Call(ctx, uint64(at))
	}
	icuModules().Put(m.module)
}
