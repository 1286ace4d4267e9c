// Package charset tells which characters a character set has, and what bytes they are there. Texts are UTF-8.
package charset

import (
	"unicode/utf8"

	"github.com/dolthub/go-mysql-server/sql"
)

// unknown stands for what a character set has no character for.
const unknown = "?"

// Known reports whether texts can be converted to a character set.
func Known(set sql.CharacterSetID) bool { return set.Encoder() != nil }

// Fit gives a text with ? for each character that a known character set does not have, and for each byte that is no
// UTF-8. It ends with the error that step gives; step is called now
// and then, and at the end of a long text, with the bytes made.
func Fit(set sql.CharacterSetID, text string, step func(made int) error) (string, error) {
	encoder, has := set.Encoder(), map[rune]bool{} // the engine's looks through several tables: what was found is kept
	return each(text, step, func(rest string) (string, int) {
		r, n := utf8.DecodeRuneInString(rest)
		known, ok := has[r]
		if !ok {
			_, known = encoder.EncodeRune([]byte(rest[:n]))
			has[r] = known
		}
		if !known || r == utf8.RuneError && n == 1 {
			return unknown, n
		}
		return rest[:n], n
	})
}

// Decode gives as a text what bytes are in a known character set, with ? for each byte that is no character there. It
// ends as Fit does.
func Decode(set sql.CharacterSetID, bytes string, step func(made int) error) (string, error) {
	if set == sql.CharacterSet_utf8mb4 || set == sql.CharacterSet_utf8mb3 {
		return Fit(set, bytes, step)
	}
	encoder := set.Encoder()
	return each(bytes, step, func(rest string) (string, int) {
		for n := 1; n <= min(utf8.UTFMax, len(rest)); n++ {
			if char, ok := encoder.DecodeRune([]byte(rest[:n])); ok {
				return string(char), n
			}
		}
		return unknown, 1
	})
}

// Encode gives the bytes of a text in a known character set. A character that it does not have becomes ?. It ends as
// Fit does.
func Encode(set sql.CharacterSetID, text string, step func(made int) error) (string, error) {
	encoder := set.Encoder()
	return each(text, step, func(rest string) (string, int) {
		_, n := utf8.DecodeRuneInString(rest)
		if char, ok := encoder.EncodeRune([]byte(rest[:n])); ok {
			return string(char), n
		}
		return unknown, n
	})
}

// between is how many bytes are read between two steps.
const between = 64 << 10

// each joins what next gives for a text: a piece, and the bytes that were read for it.
func each(text string, step func(made int) error, next func(rest string) (string, int)) (string, error) {
	out := make([]byte, 0, len(text))
	for read, told := 0, 0; read < len(text); {
		piece, n := next(text[read:])
		out, read = append(out, piece...), read+n
		if read-told > between || told > 0 && read == len(text) {
			told = read
			if err := step(len(out)); err != nil {
				return "", err
			}
		}
	}
	return string(out), nil
}
