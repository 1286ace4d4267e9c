package costing

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
)

// TestChooseOrder runs the choice over injected statistics: `documents=N reading=N
// rows=N [limit=N] [skip=N]`, then one way a line, `name keys=N matching=N [missing=N]
// [set=N] [group=N] [scan] [entries] [filtered] [clustered] [first] [unusable]`.
func TestChooseOrder(t *testing.T) {
	datadriven.RunTest(t, "testdata/order", func(t *testing.T, d *datadriven.TestData) string {
		var documents, reading, rows int64
		wanted := Wanted{Rows: All}
		d.ScanArgs(t, "documents", &documents)
		d.ScanArgs(t, "reading", &reading)
		d.ScanArgs(t, "rows", &rows)
		d.MaybeScanArgs(t, "limit", &wanted.Rows)
		d.MaybeScanArgs(t, "skip", &wanted.Skip)
		var ways []OrderedWay
		for _, line := range strings.Split(strings.TrimSpace(d.Input), "\n") {
			fields := strings.Fields(line)
			w := OrderedWay{Name: fields[0]}
			numbers := map[string]*int64{"keys": &w.Keys, "matching": &w.Matching, "missing": &w.Missing, "set": &w.Set,
				"group": &w.Group}
			flags := map[string]*bool{"scan": &w.Scan, "entries": &w.EntriesOnly, "filtered": &w.Filtered,
				"first": &w.MissingFirst, "continues": &w.Continues, "clustered": &w.Clustered}
			for _, f := range fields[1:] {
				name, value, _ := strings.Cut(f, "=")
				switch {
				case numbers[name] != nil:
					if _, err := fmt.Sscan(value, numbers[name]); err != nil {
						d.Fatalf(t, "%s: %v", line, err)
					}
				case flags[name] != nil:
					*flags[name] = true
				case name == "unusable":
					w.Unusable = "for a reason"
				default:
					d.Fatalf(t, "%s: unknown %s", line, name)
				}
			}
			ways = append(ways, w)
		}
		choice := ChooseOrder(documents, wanted, Sorted{Reading: float64(reading), Rows: rows}, ways)
		var out strings.Builder
		if choice.Chosen < 0 {
			fmt.Fprintf(&out, "sort, cost %.1f\n", choice.Cost)
		} else {
			fmt.Fprintf(&out, "%s, cost %.1f, %d keys", ways[choice.Chosen].Name, choice.Cost, choice.Keys)
			if choice.Bound.Cost > 0 {
				fmt.Fprintf(&out, ", given up at %.1f", choice.Bound.Cost)
			}
			out.WriteString("\n")
		}
		for i, why := range choice.Why {
			fmt.Fprintf(&out, "  %s: %s\n", ways[i].Name, why)
		}
		return out.String()
	})
}
