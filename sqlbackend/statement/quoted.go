package statement

import "strings"

// NameAt is the first of the names that the text begins with, as a whole word.
func NameAt(text string, names []string) string {
	for _, n := range names {
		if strings.HasPrefix(text, n) && (len(text) == len(n) || !IsNameByte(text[len(n)]) && text[len(n)] != '(') {
			return n
		}
	}
	return ""
}
