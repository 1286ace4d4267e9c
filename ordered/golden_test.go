package ordered

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/sqlfdb/sqlfdb/collation"
	"github.com/sqlfdb/sqlfdb/document"
)

// TestGolden pins the bytes, which stay for ever. Every line of the input is
// one value; go test ./ordered -run Golden -rewrite writes the results.
func TestGolden(t *testing.T) {
	datadriven.Walk(t, "testdata/golden", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			name, limit := "", 0
			d.MaybeScanArgs(t, "collation", &name)
			d.MaybeScanArgs(t, "limit", &limit)
			c := collation.Default
			if name != "" {
				c = mustCollation(t, name)
			}
			var out strings.Builder
			for line := range strings.Lines(d.Input) {
				line = strings.TrimSuffix(line, "\n")
				b, err := encodeLine(d.Cmd, line, c, limit)
				if err != nil {
					fmt.Fprintf(&out, "%-24s %v\n", line, err)
					continue
				}
				decoded, err := Decode(b, DecodeOptions{Collation: c, Limit: limit})
				text := strconv.QuoteToASCII(decoded.Text)
				switch {
				case err != nil:
					text = err.Error()
				case decoded.Truncated:
					text = "truncated"
				case decoded.Text == "" && decoded.Class != ClassString && decoded.Class != ClassBytes:
					text = fmt.Sprintf("flag %d", decoded.Flag)
				}
				fmt.Fprintf(&out, "%-24s % x  -> %s\n", line, b, text)
			}
			return out.String()
		})
	})
}

func encodeLine(command, line string, c *collation.Collation, limit int) ([]byte, error) {
	switch command {
	case "json":
		v, err := document.ParseValue([]byte(line), document.Limits{})
		if err != nil {
			return nil, err
		}
		b, _, err := AppendValue(nil, v, ValueOptions{Collation: c, Limit: limit})
		return b, err
	case "stub":
		v, err := document.ParseValue([]byte(line), document.Limits{})
		if err != nil {
			return nil, err
		}
		b, _, err := AppendValue(nil, v, ValueOptions{Stub: true})
		return b, err
	case "string", "bytes":
		s, err := strconv.Unquote(line)
		if err != nil {
			return nil, err
		}
		if command == "bytes" {
			return AppendBytes(nil, []byte(s)), nil
		}
		b, _ := AppendString(nil, c, s, limit)
		return b, nil
	case "float":
		f, err := strconv.ParseFloat(line, 64)
		if err != nil {
			return nil, err
		}
		return AppendFloat(nil, f)
	case "date":
		return AppendDate(nil, line)
	case "time":
		return AppendTime(nil, line)
	case "datetime":
		return AppendDatetime(nil, line)
	}
	return nil, fmt.Errorf("unknown command %s", command)
}
