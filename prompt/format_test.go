package prompt

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
)

var rewrite = flag.Bool("rewrite", false, "write what the formats show to testdata")

// TestFormats: one result in every format, for a pipe and for screens of several widths.
func TestFormats(t *testing.T) {
	columns := []column{{"id", kindNumber}, {"name", kindText}, {"doc", kindJSON}, {"none", kindText}}
	rows := [][]cell{
		{{text: "1"}, {text: "Zoë, \"the\" first | one"}, {text: `{"a":[1,true,null],"b":"x"}`}, {text: "NULL", null: true}},
		{{text: "-2.5"}, {text: "日本語\ttab\nline"},
			{text: `{"address":{"city":"Zürich","zipcode":"8005"},"tags":["x","y"],"n":12.50}`}, {text: ""}},
		{{text: "3"}, {text: strings.Repeat("long ", 12) + "\x1b[31m"}, {text: "4"}, {text: "NULL"}},
	}
	var out strings.Builder
	for _, f := range Formats() {
		screens := []screen{{}}
		if Format(f) == Table || Format(f) == Vertical {
			screens = append(screens, screen{width: 200, colour: true}, screen{width: 80}, screen{width: 40})
		}
		for _, on := range screens {
			fmt.Fprintf(&out, "# %s, %d\n", f, on.width)
			p := Format(f).printer(&out, on)
			if err := p.rows(columns, rows[:2]); err != nil {
				t.Fatal(err)
			}
			if err := p.rows(columns, rows[2:]); err != nil {
				t.Fatal(err)
			}
			if err := p.end(); err != nil {
				t.Fatal(err)
			}
		}
		fmt.Fprintf(&out, "# %s, nothing\n", f)
		p := Format(f).printer(&out, screen{})
		if err := p.rows(columns, nil); err != nil {
			t.Fatal(err)
		}
		if err := p.end(); err != nil {
			t.Fatal(err)
		}
	}
	const path = "testdata/formats.txt"
	shown := strings.ReplaceAll(out.String(), "\x1b", "ESC")
	if *rewrite {
		if err := os.WriteFile(path, []byte(shown), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil || shown != string(want) {
		t.Errorf("%v: %s", err, shown)
	}
	narrow := shown[strings.Index(shown, "# table, 80"):strings.Index(shown, "# table, 40")]
	for _, line := range strings.Split(narrow, "\n") {
		if width(line) > 80 {
			t.Errorf("%d places: %s", width(line), line)
		}
	}
}

func TestSpell(t *testing.T) {
	for v, want := range map[float64]string{
		0: "0", 1234567.89: "1234567.89", 1e14: "100000000000000", 1e15: "1e15", 1e-16: "1e-16", -2.5: "-2.5",
	} {
		if have := cellOf(v).text; have != want {
			t.Errorf("%v: %s", v, have)
		}
	}
	if have := cellOf([]byte{0xff, 0}).text; have != "0xFF00" {
		t.Error(have)
	}
}
