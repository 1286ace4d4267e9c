package charset_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/sqlfdb/sqlfdb/sqlbackend/charset"
)

// TestTexts: what fits stays, what does not is ?, and bytes and texts become each other.
func TestTexts(t *testing.T) {
	never := func(int) error { return errors.New("a short text has steps") }
	for _, c := range []struct {
		set                  sql.CharacterSetID
		text, fits, encoded  string
		decoded, fromDecoded string
	}{
		{sql.CharacterSet_latin1, "aé€😀\xff", "aé€??", "a\xe9\x80??", "\xe9\x80", "é€"},
		{sql.CharacterSet_ascii, "aé", "a?", "a?", "a\xe9", "a?"},
		{sql.CharacterSet_utf8mb3, "é😀", "é?", "é?", "é\xff", "é?"},
		{sql.CharacterSet_utf8mb4, "é😀\xff", "é😀?", "é😀\xff", "😀\xff", "😀?"},
		{sql.CharacterSet_utf16, "é€😀", "é€😀", "\x00\xe9\x20\xac\xd8\x3d\xde\x00", "\x00a\x00", "a?"},
		{sql.CharacterSet_utf32, "é😀", "é😀", "\x00\x00\x00\xe9\x00\x01\xf6\x00", "\x00\x00\x00a", "a"},
	} {
		for _, f := range []struct {
			of         func(sql.CharacterSetID, string, func(int) error) (string, error)
			from, want string
		}{{charset.Fit, c.text, c.fits}, {charset.Encode, c.text, c.encoded}, {charset.Decode, c.decoded, c.fromDecoded}} {
			if have, err := f.of(c.set, f.from, never); err != nil || have != f.want {
				t.Errorf("%s of %q: %q, %v, want %q", c.set.Name(), f.from, have, err, f.want)
			}
		}
	}
	if charset.Known(sql.CharacterSet_ucs2) || !charset.Known(sql.CharacterSet_latin1) {
		t.Error("other character sets are known")
	}
	stop := errors.New("enough")
	long := strings.Repeat("é", 1<<20)
	if _, err := charset.Fit(sql.CharacterSet_latin1, long, func(int) error { return stop }); err != stop {
		t.Errorf("%v where a step ends it", err)
	}
}
