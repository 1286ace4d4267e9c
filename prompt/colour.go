package prompt

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/mattn/go-runewidth"
)

// The colours of JSON on a terminal.
const (
	colourKey    = "\x1b[36m"
	colourString = "\x1b[32m"
	colourNumber = "\x1b[33m"
	colourWord   = "\x1b[35m"
	colourNull   = "\x1b[2m"
	colourEnd    = "\x1b[0m"
)

// shortJSON is how many characters of JSON stand in one line.
const shortJSON = 40

// structured spreads JSON over lines where it is too long for one.
func structured(text string) string {
	if len(text) <= shortJSON || text[0] != '{' && text[0] != '[' {
		return text
	}
	var out bytes.Buffer
	if json.Indent(&out, []byte(text), "", "  ") != nil {
		return text
	}
	return out.String()
}

// coloured colours one line of JSON. A string that goes on in the next line, as one that was broken does, ends with it.
func coloured(line string) string {
	var out strings.Builder
	for i := 0; i < len(line); {
		end, colour := i+1, ""
		switch c := line[i]; {
		case c == '"':
			for end < len(line) && line[end] != '"' {
				if line[end] == '\\' {
					end++
				}
				end++
			}
			end = min(end+1, len(line))
			colour = colourString
			if strings.HasPrefix(strings.TrimLeft(line[end:], " "), ":") {
				colour = colourKey
			}
		case c == '-' || c >= '0' && c <= '9':
			for end < len(line) && strings.IndexByte("+-.eE0123456789", line[end]) >= 0 {
				end++
			}
			colour = colourNumber
		case c >= 'a' && c <= 'z':
			for end < len(line) && line[end] >= 'a' && line[end] <= 'z' {
				end++
			}
			colour = colourWord
		}
		if colour == "" {
			out.WriteString(line[i:end])
		} else {
			out.WriteString(colour + line[i:end] + colourEnd)
		}
		i = end
	}
	return out.String()
}

// width is how many places a text takes on the screen.
func width(s string) int { return runewidth.StringWidth(s) }

// visible makes characters that steer a terminal visible.
func visible(s string) string {
	if strings.IndexFunc(s, steers) < 0 {
		return s
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t':
			return ' '
		case r == 0x7f:
			return '␡'
		case steers(r) && r < 0x20:
			return 0x2400 + r
		case steers(r):
			return '�'
		}
		return r
	}, s)
}

func steers(r rune) bool { return r < 0x20 && r != '\n' || r >= 0x7f && r < 0xa0 }

// broken cuts a line into pieces of so many places.
func broken(line string, places int) []string {
	var out []string
	for width(line) > places {
		head := runewidth.Truncate(line, places, "")
		if head == "" {
			break // one character is wider
		}
		out = append(out, head)
		line = line[len(head):]
	}
	return append(out, line)
}
