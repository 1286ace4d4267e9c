package collation

import (
	"bufio"
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

var ucaFile = flag.String(
	"uca", "", "a file of the Unicode consortium's collation test data, CollationTest_NON_IGNORABLE_SHORT.txt or "+
		"CollationTest_CLDR_NON_IGNORABLE_SHORT.txt, to run whole")

// codePoints reads a line of hexadecimal code points. It is false for what no
// UTF-8 string can hold.
func codePoints(line string) (string, bool) {
	line, _, _ = strings.Cut(line, ";")
	line, _, _ = strings.Cut(line, "#")
	var b strings.Builder
	for _, field := range strings.Fields(line) {
		n, err := strconv.ParseUint(field, 16, 32)
		if err != nil || n >= 0xd800 && n < 0xe000 {
			return "", false
		}
		b.WriteRune(rune(n))
	}
	return b.String(), b.Len() > 0
}

// kindOf is why a string of the test data may not be in its place: the script
// of its first letter, or what it has instead.
func kindOf(s string) string {
	for _, r := range s {
		if unicode.Is(unicode.Noncharacter_Code_Point, r) {
			return "a noncharacter"
		}
		if !unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.P, unicode.S, unicode.Z, unicode.C) {
			return "unassigned"
		}
	}
	for _, r := range s {
		if unicode.In(r, unicode.Inherited, unicode.Common) {
			continue
		}
		for name, table := range unicode.Scripts {
			if unicode.Is(table, r) {
				return name
			}
		}
	}
	switch first, _ := utf8.DecodeRuneInString(s); {
	case unicode.Is(unicode.M, first):
		return "marks"
	case unicode.Is(unicode.N, first):
		return "numbers"
	}
	return "punctuation and symbols"
}

// TestUCASample: the strings of testdata/uca are in order, but for those that
// are known not to be.
func TestUCASample(t *testing.T) {
	text, err := os.ReadFile("testdata/uca")
	if err != nil {
		t.Fatal(err)
	}
	var last []byte
	n, known := 0, 0
	for _, line := range strings.Split(string(text), "\n") {
		if line == "" || line[0] == '#' {
			continue
		}
		line, wrong := strings.CutSuffix(line, " wrong")
		s, ok := codePoints(line)
		if !ok {
			t.Fatalf("line %q", line)
		}
		key := Default.AppendKey(nil, s)
		if behind := bytes.Compare(last, key) <= 0; behind == wrong {
			t.Errorf("%s (%+q): sorts behind the line above: %v, known to be wrong: %v", line, s, behind, wrong)
		}
		if wrong {
			known++
		}
		last, n = key, n+1
	}
	if n < 400 || known != 20 {
		t.Errorf("%d strings, %d of them known to be wrong", n, known)
	}
}

// TestUCA runs a whole file: each string must sort at or behind the one before it.
func TestUCA(t *testing.T) {
	if *ucaFile == "" {
		t.Skip("no -uca FILE")
	}
	f, err := os.Open(*ucaFile)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var previous string
	var key, last []byte
	inOrder, tied, skipped, first := 0, 0, 0, true
	wrong := map[string]int{}
	var sample []string
	for lines := bufio.NewScanner(f); lines.Scan(); {
		line := lines.Text()
		if line == "" || line[0] == '#' {
			continue
		}
		s, ok := codePoints(line)
		if !ok {
			skipped++
			continue
		}
		key = Default.AppendKey(key[:0], s)
		switch order := bytes.Compare(last, key); {
		case first:
		case order < 0:
			inOrder++
		case order == 0:
			tied++
		default:
			wrong[kindOf(previous)+" before "+kindOf(s)]++
			if len(sample) < 4000 {
				sample = append(sample, fmt.Sprintf("%+q %+q", previous, s))
			}
		}
		previous, first = s, false
		last = append(last[:0], key...)
	}
	bad := 0
	for _, n := range wrong {
		bad += n
	}
	t.Logf("%d neighbours in order, %d tied, %d not in order; %d lines hold surrogates", inOrder, tied, bad, skipped)
	kinds := make([]string, 0, len(wrong))
	for k := range wrong {
		kinds = append(kinds, k)
	}
	slices.SortFunc(kinds, func(a, b string) int { return cmp.Or(wrong[b]-wrong[a], strings.Compare(a, b)) })
	for _, k := range kinds {
		t.Logf("%6d %s", wrong[k], k)
	}
	if testing.Verbose() {
		for _, s := range sample {
			t.Log(s)
		}
	}
}
