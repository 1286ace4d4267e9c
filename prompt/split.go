package prompt

import (
	"strings"

	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
)

// A piece is a statement as it was read.
type piece struct {
	text     string
	line     int  // where it begins, from 1
	vertical bool // it ends with \G
}

// splitter cuts statements off a text that comes in pieces, each of which ends with a line.
type splitter struct {
	text string
	pos  int // behind the last token that is whole
	line int // of the beginning of text, from 0
	in   byte
}

// add takes more text and gives the statements that it ends: by a semicolon, or by \g or \G.
func (s *splitter) add(text string) []piece {
	s.text += text
	s.in = 0
	var found []piece
	for {
		t := statement.NextToken(s.text, s.pos)
		if t.Kind == statement.TokenEnd {
			return found
		}
		if t.End == len(s.text) && (t.Kind == statement.TokenString || t.Kind == statement.TokenQuoted) {
			s.in = s.text[t.Start]
			return found // it goes on in the next line
		}
		s.pos = t.End
		word := s.text[t.Start:t.End]
		var ends, vertical bool
		switch {
		case word == ";":
			ends = true
		case word == `\` && t.End < len(s.text) && (s.text[t.End] == 'g' || s.text[t.End] == 'G'):
			ends, vertical = true, s.text[t.End] == 'G'
			s.pos++
			rest := strings.TrimLeft(s.text[s.pos:], " \t")
			if strings.HasPrefix(rest, ";") {
				s.pos = len(s.text) - len(rest) + 1
			}
		}
		if ends {
			if p, ok := s.cut(t.Start, s.pos); ok {
				p.vertical = vertical
				found = append(found, p)
			}
		}
	}
}

// rest is the text behind the last semicolon; the splitter is empty then.
func (s *splitter) rest() (piece, bool) {
	defer func() { *s = splitter{} }()
	return s.cut(len(s.text), len(s.text))
}

// cut takes the text off up to a position, of which a statement goes up to its end; ok is false where there is none.
func (s *splitter) cut(end, position int) (p piece, ok bool) {
	first := statement.NextToken(s.text[:end], 0)
	p.line = s.line + strings.Count(s.text[:first.Start], "\n") + 1
	p.text = strings.TrimSpace(s.text[min(first.Start, end):end])
	s.line += strings.Count(s.text[:position], "\n")
	s.text, s.pos = s.text[position:], 0
	return p, p.text != "" && first.Kind != statement.TokenEnd
}

// pending reports whether a statement has begun.
func (s *splitter) pending() bool {
	return s.in != 0 || statement.NextToken(s.text, 0).Kind != statement.TokenEnd || s.inComment()
}

// inComment reports whether the text is a comment that has not ended.
func (s *splitter) inComment() bool {
	begin := strings.LastIndex(s.text, "/*")
	return begin >= 0 && strings.HasPrefix(strings.TrimSpace(s.text), "/*") && !strings.Contains(s.text[begin:], "*/")
}

// firstWord is the word that a statement begins with, in capitals.
func firstWord(text string) string {
	t := statement.NextToken(text, 0)
	for t.Is(text, "(") {
		t = statement.NextToken(text, t.End)
	}
	return strings.ToUpper(text[t.Start:t.End])
}

// asks reports whether a statement gives rows, by its first word.
func asks(text string) bool {
	switch firstWord(text) {
	case "SELECT", "SHOW", "DESCRIBE", "DESC", "EXPLAIN", "WITH", "TABLE", "VALUES", "CHECK", "ANALYZE", "CHECKSUM",
		"OPTIMIZE", "REPAIR", "EXECUTE", "CALL", "HELP":
		return true
	}
	return false
}
