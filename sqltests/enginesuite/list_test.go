package enginesuite

import (
	"os"
	"slices"
	"strings"
	"testing"
)

const (
	listFile  = "testdata/failures.txt"
	unknown   = "not looked into yet"
	inherited = "the engine's own memory backend fails, too"
)

// A list has the assertions that fail, each with its reason. In its file a reason is a line "# REASON", with the
// assertions under it.
type list struct{ reasons map[string]string }

func readList(t *testing.T) *list {
	t.Helper()
	text, err := os.ReadFile(listFile)
	if err != nil {
		t.Fatal(err)
	}
	l, reason := &list{map[string]string{}}, ""
	for line := range strings.SplitSeq(string(text), "\n") {
		switch after, isReason := strings.CutPrefix(line, "# "); {
		case isReason:
			reason = after
		case line != "" && reason == "":
			t.Fatalf("%s: %q has no reason above it", listFile, line)
		case line != "":
			l.reasons[line] = reason
		}
	}
	return l
}

func (l *list) write(t *testing.T) {
	t.Helper()
	under := map[string][]string{}
	for key, reason := range l.reasons {
		under[reason] = append(under[reason], key)
	}
	var b strings.Builder
	var reasons []string
	for reason, keys := range under {
		slices.SortFunc(keys, natural)
		reasons = append(reasons, reason)
	}
	slices.Sort(reasons)
	for _, reason := range reasons {
		b.WriteString("# " + reason + "\n\n" + strings.Join(under[reason], "\n") + "\n\n")
	}
	if err := os.WriteFile(listFile, []byte(strings.TrimRight(b.String(), "\n")+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
}

// natural orders numbers in texts by their value.
func natural(a, b string) int {
	x, y := strings.Fields(a), strings.Fields(b)
	for i := range min(len(x), len(y)) {
		if len(x[i]) != len(y[i]) && strings.Trim(x[i]+y[i], "0123456789") == "" {
			return len(x[i]) - len(y[i])
		}
		if x[i] != y[i] {
			return strings.Compare(x[i], y[i])
		}
	}
	return len(x) - len(y)
}
