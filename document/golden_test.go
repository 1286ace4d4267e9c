package document_test

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/sqlfdb/sqlfdb/document"
)

// TestGolden runs the files of testdata/golden. Commands with the argument quoted
// read each line of their input as a Go string; -rewrite writes what came out.
func TestGolden(t *testing.T) {
	datadriven.Walk(t, "testdata/golden", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			command, ok := goldenCommands[d.Cmd]
			if !ok {
				d.Fatalf(t, "unknown command %s", d.Cmd)
			}
			input := d.Input
			if d.HasArg("quoted") {
				unquoted, err := strconv.Unquote(input)
				if err != nil {
					d.Fatalf(t, "%v: %s", err, input)
				}
				input = unquoted
			}
			return command(t, d, input)
		})
	})
}

var goldenCommands = map[string]func(t *testing.T, d *datadriven.TestData, input string) string{
	"parse":     goldenParse,
	"value":     goldenValue,
	"kind":      goldenKinds,
	"numbers":   goldenNumbers,
	"keypath":   goldenKeypaths,
	"flatten":   goldenFlatten,
	"lookup":    goldenLookup,
	"with":      goldenWith,
	"without":   goldenWithout,
	"prepend":   goldenPrepend,
	"order":     goldenOrder,
	"jsonpath":  goldenJSONPaths,
	"extract":   goldenExtract,
	"change":    goldenChange,
	"nearest":   goldenNearest,
	"members":   goldenMembers,
	"jsonquote": goldenQuote,
}

func limits(t *testing.T, d *datadriven.TestData) document.Limits {
	var lim document.Limits
	d.MaybeScanArgs(t, "depth", &lim.MaxDepth)
	d.MaybeScanArgs(t, "size", &lim.MaxSize)
	return lim
}

func text(v document.Value, err error) string {
	if err != nil {
		return "error: " + err.Error()
	}
	return v.Text()
}

func docText(v document.Document, err error) string { return text(v.Value, err) }

func lines(input string, each func(line string) string) string {
	var b strings.Builder
	for line := range strings.SplitSeq(input, "\n") {
		b.WriteString(each(line))
		b.WriteByte('\n')
	}
	return b.String()
}

func goldenParse(t *testing.T, d *datadriven.TestData, input string) string {
	return docText(document.Parse([]byte(input), limits(t, d)))
}

func goldenValue(t *testing.T, d *datadriven.TestData, input string) string {
	return text(document.ParseValue([]byte(input), limits(t, d)))
}

func goldenKinds(t *testing.T, d *datadriven.TestData, input string) string {
	return lines(input, func(line string) string {
		v, err := document.ParseValue([]byte(line), document.Limits{})
		if err != nil {
			return line + ": " + err.Error()
		}
		return line + ": " + v.Kind().String()
	})
}

// goldenNumbers takes lines of two numbers, and shows their comparison.
func goldenNumbers(t *testing.T, d *datadriven.TestData, input string) string {
	return lines(input, func(line string) string {
		a, b, _ := strings.Cut(line, " ")
		return a + " " + sign(document.CompareNumbers(a, b)) + " " + b
	})
}

func sign(c int) string { return [...]string{"<", "=", ">"}[c+1] }

func goldenKeypaths(t *testing.T, d *datadriven.TestData, input string) string {
	return lines(input, func(line string) string {
		k, err := document.ParseKeypath(line)
		if err != nil {
			return "error: " + err.Error()
		}
		return fmt.Sprintf("%s  %s  %+q", k, k.JSONPath(), k)
	})
}

func goldenFlatten(t *testing.T, d *datadriven.TestData, input string) string {
	doc, err := document.Parse([]byte(input), document.Limits{})
	if err != nil {
		return err.Error()
	}
	var o document.FlattenOptions
	d.MaybeScanArgs(t, "depth", &o.MaxDepth)
	var excluded []string
	for _, arg := range d.CmdArgs {
		if arg.Key == "exclude" {
			excluded = arg.Vals
		}
	}
	if excluded != nil {
		o.Excluded = func(path []byte) bool {
			for _, e := range excluded {
				if e == string(path) {
					return true
				}
			}
			return false
		}
	}
	var b strings.Builder
	err = document.Flatten(doc, o, func(l document.Leaf) error {
		fmt.Fprintf(&b, "%s  %s %s %v", l.Path, l.Kind, l.Value, l.Positions)
		if l.Empty {
			b.WriteString(" empty")
		}
		if l.Stub {
			b.WriteString(" stub")
		}
		b.WriteByte('\n')
		return nil
	})
	if err != nil {
		return err.Error()
	}
	return b.String()
}

func goldenMembers(t *testing.T, d *datadriven.TestData, input string) string {
	v, err := document.ParseValue([]byte(input), document.Limits{})
	if err != nil {
		return err.Error()
	}
	var b strings.Builder
	for name, m := range v.Members() {
		fmt.Fprintf(&b, "%q %s %q\n", name, m, m.Str())
	}
	for i, e := range v.Elements() {
		fmt.Fprintf(&b, "%d %s %q\n", i, e, e.Str())
	}
	fmt.Fprintf(&b, "count %d\n", v.Count())
	return b.String()
}

// splitDocument takes the document from the first line.
func splitDocument(t *testing.T, d *datadriven.TestData, input string) (document.Document, string) {
	first, rest, _ := strings.Cut(input, "\n")
	doc, err := document.Parse([]byte(first), document.Limits{})
	if err != nil {
		d.Fatalf(t, "%v", err)
	}
	return doc, rest
}

func goldenLookup(t *testing.T, d *datadriven.TestData, input string) string {
	doc, rest := splitDocument(t, d, input)
	return lines(rest, func(line string) string {
		k, err := document.ParseKeypath(line)
		if err != nil {
			return err.Error()
		}
		var b strings.Builder
		v, ok := doc.Lookup(k)
		fmt.Fprintf(&b, "%s: %s %v;", line, v, ok)
		for positions, v := range doc.All(k) {
			fmt.Fprintf(&b, " %v %s", positions, v)
		}
		return b.String()
	})
}

// goldenWith takes a document and lines of a keypath, a space and a value. Each
// changes the document of the first line.
func goldenWith(t *testing.T, d *datadriven.TestData, input string) string {
	doc, rest := splitDocument(t, d, input)
	return lines(rest, func(line string) string {
		path, value, _ := strings.Cut(line, " ")
		k, err := document.ParseKeypath(path)
		if err != nil {
			return err.Error()
		}
		v, err := document.ParseValue([]byte(value), document.Limits{})
		if err != nil {
			return err.Error()
		}
		return docText(doc.With(k, v))
	})
}

func goldenWithout(t *testing.T, d *datadriven.TestData, input string) string {
	doc, rest := splitDocument(t, d, input)
	return lines(rest, func(line string) string {
		k, err := document.ParseKeypath(line)
		if err != nil {
			return err.Error()
		}
		return docText(doc.Without(k))
	})
}

func goldenPrepend(t *testing.T, d *datadriven.TestData, input string) string {
	return lines(input, func(line string) string {
		doc, err := document.Parse([]byte(line), document.Limits{})
		if err != nil {
			return err.Error()
		}
		return docText(doc.Prepend("_id", document.IntValue(7)))
	})
}

// goldenOrder takes values in ascending order, equal ones on one line separated by
// " = ", and checks every pair.
func goldenOrder(t *testing.T, d *datadriven.TestData, input string) string {
	type ranked struct {
		v    document.Value
		rank int
	}
	var all []ranked
	rank := 0
	for line := range strings.SplitSeq(input, "\n") {
		for s := range strings.SplitSeq(line, " = ") {
			v, err := document.ParseValue([]byte(s), document.Limits{})
			if err != nil {
				return err.Error()
			}
			all = append(all, ranked{v, rank})
		}
		rank++
	}
	var b strings.Builder
	for _, x := range all {
		for _, y := range all {
			want := min(max(x.rank-y.rank, -1), 1)
			if got := document.Compare(x.v, y.v, nil); got != want {
				fmt.Fprintf(&b, "%s %s %s\n", x.v, sign(got), y.v)
			}
			if got := document.Equal(x.v, y.v); got != (want == 0) {
				fmt.Fprintf(&b, "%s equal %s: %v\n", x.v, y.v, got)
			}
		}
	}
	if b.Len() == 0 {
		return "ok"
	}
	return b.String()
}

func goldenJSONPaths(t *testing.T, d *datadriven.TestData, input string) string {
	return lines(input, func(line string) string {
		p, err := document.ParseJSONPath(line)
		if err != nil {
			if !errors.Is(err, document.ErrJSONPath) {
				t.Errorf("%s: %v does not unwrap to ErrJSONPath", line, err)
			}
			return "error: " + err.Error()
		}
		again, err := document.ParseJSONPath(p.String())
		if err != nil || again.String() != p.String() {
			t.Errorf("%s: spelled %s, read back as %s, %v", line, p, again, err)
		}
		k, ok := p.Keypath()
		if !ok {
			return p.String()
		}
		return p.String() + "  " + k.String()
	})
}

func goldenExtract(t *testing.T, d *datadriven.TestData, input string) string {
	first, rest, _ := strings.Cut(input, "\n")
	v, err := document.ParseValue([]byte(first), document.Limits{})
	if err != nil {
		d.Fatalf(t, "%v", err)
	}
	return lines(rest, func(line string) string {
		var paths []document.JSONPath
		for s := range strings.SplitSeq(line, ", ") {
			p, err := document.ParseJSONPath(s)
			if err != nil {
				return err.Error()
			}
			paths = append(paths, p)
		}
		found, ok := v.Extract(paths...)
		if !ok {
			return line + ": nothing"
		}
		return line + ": " + found.Text()
	})
}

// goldenChange takes a value and lines of a function, a path without spaces and
// a value. Each changes the value of the first line.
func goldenChange(t *testing.T, d *datadriven.TestData, input string) string {
	first, rest, _ := strings.Cut(input, "\n")
	v, err := document.ParseValue([]byte(first), document.Limits{})
	if err != nil {
		d.Fatalf(t, "%v", err)
	}
	return lines(rest, func(line string) string {
		words := strings.SplitN(line, " ", 3)
		path, err := document.ParseJSONPath(words[1])
		if err != nil {
			return "error: " + err.Error()
		}
		if words[0] == "remove" {
			return text(v.Remove(path))
		}
		to, err := document.ParseValue([]byte(words[2]), document.Limits{})
		if err != nil {
			return "error: " + err.Error()
		}
		change := map[string]func(document.JSONPath, document.Value) (document.Value, error){
			"set": v.Set, "insert": v.Insert, "replace": v.Replace, "append": v.ArrayAppend, "array-insert": v.ArrayInsert,
		}[words[0]]
		return text(change(path, to))
	})
}

func goldenNearest(t *testing.T, d *datadriven.TestData, input string) string {
	first, rest, _ := strings.Cut(input, "\n")
	candidates := strings.Split(first, " ")
	return lines(rest, func(line string) string {
		return fmt.Sprintf("%s: %q", line, document.Nearest(line, candidates))
	})
}

func goldenQuote(t *testing.T, d *datadriven.TestData, input string) string {
	quoted, err := document.AppendQuoted(nil, input)
	if err != nil {
		return err.Error()
	}
	return string(quoted)
}
