package prompt

import (
	"bufio"
	"os"
	"regexp"
	"strings"

	"github.com/peterh/liner"

	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
)

// history is the file of the typed statements, one in a line.
type history struct {
	path  string
	lines []string
}

const (
	// longestKept is how long a statement that is kept may be.
	longestKept = 64 << 10
	// maxKept is how many lines the file may have before it is shortened to as many as are looked at.
	maxKept = 2 * liner.HistoryLimit
)

// openHistory reads the file; where there is none, it is made with the first statement.
func openHistory(path string) *history {
	h := &history{path: path}
	if path == "" {
		return h
	}
	f, err := os.Open(path)
	if err != nil {
		return h
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, longestKept+1)
	for lines.Scan() {
		h.lines = append(h.lines, lines.Text())
	}
	if len(h.lines) > maxKept {
		h.lines = h.lines[len(h.lines)-liner.HistoryLimit:]
		_ = os.WriteFile(path, []byte(strings.Join(h.lines, "\n")+"\n"), 0o600)
	}
	return h
}

// secret matches the statements that are not kept.
var secret = regexp.MustCompile(`(?i)\bIDENTIFIED\b|\bPASSWORD\b`)

// add keeps a typed statement. It is written to the file at once: several prompts share it.
func (h *history) add(editor *liner.State, text string) {
	text = oneLine(text)
	if text == "" || len(text) > longestKept || secret.MatchString(text) {
		return
	}
	editor.AppendHistory(text)
	if h.path == "" {
		return
	}
	f, err := os.OpenFile(h.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return // the statement is still in memory until the prompt ends
	}
	_, _ = f.WriteString(text + "\n")
	_ = f.Close()
}

// oneLine puts a statement into a line, without comments that end with their line. It is empty if a string holds an
// end of a line, since that would change on one line.
func oneLine(text string) string {
	text = strings.TrimSpace(text)
	if !strings.Contains(text, "\n") {
		return text
	}
	var b strings.Builder
	end := 0
	for _, t := range statement.Tokenize(text) {
		token := text[t.Start:t.End]
		if strings.Contains(token, "\n") {
			return ""
		}
		if t.Start > end {
			b.WriteByte(' ')
		}
		b.WriteString(token)
		end = t.End
	}
	return strings.TrimSpace(b.String())
}
