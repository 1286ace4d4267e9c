package pushdown

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"pgregory.net/rapid"

	"github.com/sqlfdb/sqlfdb/collation"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/internal/testseed"
	"github.com/sqlfdb/sqlfdb/ordered"
)

// dateSpellings are texts that the engine reads as dates, many of them near some, others that it does not, and some
// that begin like them.
func dateSpellings(near ...time.Time) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		year, month, day := rapid.IntRange(0, 9999).Draw(t, "year"), rapid.IntRange(1, 12).Draw(t, "month"),
			rapid.IntRange(1, 31).Draw(t, "day")
		if rapid.IntRange(0, 3).Draw(t, "near") > 0 {
			at := rapid.SampledFrom(near).Draw(t, "of").AddDate(0, 0, rapid.IntRange(-40, 40).Draw(t, "days"))
			year, month, day = at.Year(), int(at.Month()), at.Day()
		}
		part := func(n int) string {
			return fmt.Sprintf(rapid.SampledFrom([]string{"%d", "%02d"}).Draw(t, "digits"), n)
		}
		text := rapid.SampledFrom([]string{
			fmt.Sprintf("%04d-%02d-%02d", year, month, day), fmt.Sprintf("%04d-%s-%s", year, part(month), part(day)),
			fmt.Sprintf("%04d-%02d-%02d", year, month, day), fmt.Sprintf("%04d/%02d/%02d", year, month, day),
			fmt.Sprintf("%04d%02d%02d", year, month, day),
			fmt.Sprintf("%04d-%s-%s", year, part(month), part(day)), fmt.Sprintf("%04d.%02d.%02d", year, month, day),
			fmt.Sprintf("%02d-%02d-%02d", year%100, month, day),
			"0000-00-00", fmt.Sprintf("%04d", year),
		}).Draw(t, "date")
		clock := rapid.SampledFrom([]string{" ", " ", " ", "  ", "T", "", "\t"}).Draw(t, "separator")
		hour, minute, second := rapid.IntRange(0, 23).Draw(t, "hour"), rapid.IntRange(0, 59).Draw(t, "minute"),
			rapid.IntRange(0, 59).Draw(t, "second")
		switch rapid.IntRange(0, 8).Draw(t, "clock") {
		case 0:
			text += clock + part(hour) + ":" + part(minute)
		case 1:
			text += clock + part(hour) + ":" + part(minute) + ":" + part(second) +
				rapid.SampledFrom([]string{"", ".", ".5", ".999999", ".1234567"}).Draw(t, "fraction")
		case 2:
			text += fmt.Sprintf("%02d%02d%02d", hour, minute, second)
		case 3, 4:
			text += fmt.Sprintf("T%02d:%02d:%02d", hour, minute, second) +
				rapid.SampledFrom([]string{"", "Z", "+14:00", "-12:00", "+24:60", "-24:60", "+05:30"}).Draw(t, "offset")
		}
		return rapid.SampledFrom([]string{"", "", "", "", "", "", "", " "}).Draw(t, "before") + text +
			rapid.SampledFrom([]string{"", "", "", "", "", "", " ", "x"}).Draw(t, "behind")
	})
}

// What a text spells decides a comparison, and the text lies in the spans of what it decides.
func TestDateTextsHoldWhatSatisfies(t *testing.T) {
	ctx := sql.NewEmptyContext()
	read, outside := 0, 0
	testseed.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom([]string{"utf8mb4_0900_as_cs", "utf8mb4_bin", "utf8mb4_0900_ai_ci",
			"utf8mb4_sv_0900_as_cs"}).Draw(t, "collation")
		v := view{column: Column{Shape: ShapeString, StringLimit: rapid.SampledFrom([]int{0, 64, 12, 5}).Draw(t, "limit")}}
		var known bool
		if v.column.Collation, known = collation.Lookup(name); !known {
			t.Fatalf("no collation %s", name)
		}
		json := rapid.Bool().Draw(t, "text of JSON")
		if json {
			v.as = asText
		}
		a := &analysis{ctx: ctx}
		if rapid.Bool().Draw(t, "explain") {
			a.labels = map[string]label{}
		}
		from := time.Date(rapid.OneOf(rapid.IntRange(2019, 2021), rapid.IntRange(1, 9999)).Draw(t, "year"),
			time.Month(rapid.IntRange(1, 12).Draw(t, "month")), rapid.IntRange(1, 31).Draw(t, "day"), 0, 0, 0, 0, time.UTC)
		to := from.AddDate(0, 0, rapid.OneOf(rapid.IntRange(1, 3), rapid.IntRange(1, 800)).Draw(t, "days"))
		op := rapid.SampledFrom([]operator{opEqual, opLess, opLessOrEqual, opGreater, opGreaterOrEqual}).Draw(t, "operator")
		o := a.compareDateText(op, v, from, to)
		if most := 64; len(o.yes) > most || len(o.no) > most {
			t.Fatalf("%d spans for true, %d for false", len(o.yes), len(o.no))
		}
		for _, text := range rapid.SliceOfN(dateSpellings(from, to), 1, 20).Draw(t, "texts") {
			moment, _, err := types.DatetimeMaxPrecision.Convert(ctx, text)
			if err != nil {
				continue
			}
			at := moment.(time.Time)
			before, behind := at.Before(from), !at.Before(to)
			var yes, no bool
			switch op {
			case opEqual:
				yes, no = !before && !behind, before || behind
			case opLess, opLessOrEqual:
				yes, no = !behind, !before
			default:
				yes, no = !before, !behind
			}
			read++
			holds := func(name string, is bool, spans indexes.Spans) {
				for _, encoded := range encodings(v, text, json) {
					in := spans.Contains(encoded)
					if is && !in {
						t.Fatalf("%v from %v to %v: %q, which is %v, is not in the spans for %s: %s", op, from, to, text, at, name,
							a.describe(spans))
					}
					if !in {
						outside++
					}
				}
			}
			holds("true", yes, o.yes)
			holds("false", no, o.no)
		}
	}, func() bool { return read > 0 && outside > 0 })
	t.Logf("%d texts were read, and %d were not in the spans of a comparison", read, outside)
}

// encodings are those of a text, and of the number with that text, if there is one.
func encodings(v view, text string, numbers bool) (out [][]byte) {
	encoded, _ := ordered.AppendString(nil, v.column.Collation, text, v.column.StringLimit)
	out = append(out, encoded)
	if numbers && strings.Trim(text, "0123456789.") == "" && text != "" && text[0] != '0' {
		if encoded, err := ordered.AppendNumber(nil, text); err == nil {
			out = append(out, encoded)
		}
	}
	return out
}
