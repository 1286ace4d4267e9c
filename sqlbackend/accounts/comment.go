package accounts

import (
	"strconv"
	"strings"

	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
)

// commentVersion is the newest MySQL version whose comments are read: the one that the server reports to clients.
const commentVersion = 80031

// opened is a text without the marks of comments for MySQL, /*!80001 … */, so that their content counts. Dumps of
// users have whole statements in them, and parts of names. The rest keeps its offsets. Other texts come back as they
// are.
func opened(text string) string {
	first := statement.NextToken(text, 0)
	if !beginsComment(text, first.Start) && !beginsStatement(text, first) || !strings.Contains(text, "/*!") {
		return text
	}
	out := []byte(text)
	blank := func(from, to int) {
		for i := from; i < to; i++ {
			out[i] = ' '
		}
	}
	depth := 0
	for pos := 0; ; {
		t := statement.NextToken(text, pos)
		pos = t.End
		switch {
		case t.Kind == statement.TokenEnd:
			return string(out)
		case beginsComment(text, t.Start):
			for pos = t.Start + len("/*!"); pos < len(text) && statement.IsDigitByte(text[pos]); pos++ {
			}
			if n, err := strconv.Atoi(text[t.Start+len("/*!") : pos]); err == nil && n > commentVersion {
				if end := strings.Index(text[pos:], "*/"); end >= 0 {
					pos += end + len("*/")
				} else {
					pos = len(text)
				}
			} else {
				depth++
			}
			blank(t.Start, pos)
		case depth > 0 && strings.HasPrefix(text[t.Start:], "*/"):
			depth--
			pos = t.Start + len("*/")
			blank(t.Start, pos)
		}
	}
}

func beginsComment(text string, at int) bool { return strings.HasPrefix(text[at:], "/*!") }

// beginsStatement reports whether a statement of accounts may begin with a word.
func beginsStatement(text string, t statement.Token) bool {
	for _, word := range []string{"CREATE", "ALTER", "DROP", "RENAME", "GRANT", "REVOKE", "SET"} {
		if t.Is(text, word) {
			return true
		}
	}
	return false
}
