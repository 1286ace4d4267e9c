package lint

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// Bounds of the texts that users read. Code and tables have none.
const (
	MaxFront    = 200 // lines of README.md
	MaxColumns  = 120 // characters of a line
	MaxSentence = 30  // words of a sentence
)

// Pages reports texts that are too long to be skimmed in README.md and below docs. Decisions, in docs/rfcs, stay as
// they were decided. Pages that wait to be written again are exempt; an exempt page that breaks no rule is reported.
func Pages(t *Tree, exempt map[string]bool) []Violation {
	var found []Violation
	for _, f := range t.Files {
		if f.Path != "README.md" && !strings.HasPrefix(f.Path, "docs/") || !strings.HasSuffix(f.Path, ".md") ||
			strings.HasPrefix(f.Path, "docs/rfcs/") {
			continue
		}
		broken := page(f)
		switch {
		case exempt[f.Path] && len(broken) == 0:
			found = append(found, Violation{Path: f.Path, Message: "it keeps the rules: it need not be exempt"})
		case !exempt[f.Path]:
			found = append(found, broken...)
		}
	}
	return found
}

var (
	code = regexp.MustCompile("`[^`]+`|``[^`].*?[^`]``|\\]\\([^)]*\\)")
	ends = regexp.MustCompile(`[.:;!?](\s|$)`)
)

func page(f *File) []Violation {
	var found []Violation
	lines := strings.Split(strings.TrimSuffix(string(f.Text), "\n"), "\n")
	if f.Path == "README.md" && len(lines) > MaxFront {
		found = append(found, Violation{Path: f.Path, Message: fmt.Sprintf("%d lines, over %d: the rest belongs into docs",
			len(lines), MaxFront)})
	}
	fenced, began := false, 0
	var paragraph []string
	end := func() {
		// A piece of code, or where a link leads, is one word.
		text := code.ReplaceAllString(strings.Join(paragraph, " "), "x")
		for _, sentence := range ends.Split(text, -1) {
			if n := len(strings.Fields(sentence)); n > MaxSentence {
				found = append(found, Violation{Path: f.Path, Line: began, Message: fmt.Sprintf(
					"a sentence of %d words, over %d: %.60s…", n, MaxSentence, strings.TrimSpace(sentence))})
			}
		}
		paragraph = nil
	}
	for i, line := range lines {
		isFence := strings.HasPrefix(line, "```")
		if isFence || line == "" || strings.HasPrefix(line, "|") || strings.HasPrefix(line, "- ") ||
			strings.HasPrefix(line, "#") {
			end()
		}
		if isFence {
			fenced = !fenced
		}
		if fenced || isFence || strings.HasPrefix(line, "|") {
			continue
		}
		if n := utf8.RuneCountInString(line); n > MaxColumns {
			found = append(found, Violation{Path: f.Path, Line: i + 1,
				Message: fmt.Sprintf("%d characters, over %d", n, MaxColumns)})
		}
		if len(paragraph) == 0 {
			began = i + 1
		}
		paragraph = append(paragraph, line)
	}
	end()
	return found
}
