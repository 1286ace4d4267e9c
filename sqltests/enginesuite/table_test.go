package enginesuite

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"time"

	engine "github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/shopspring/decimal"
)

// A table is rows as a client has them.
type table struct {
	kinds []string // of the columns
	cells [][]sql.NullString
}

func (t table) String() string {
	var b strings.Builder
	for _, row := range t.cells {
		b.WriteString("[")
		for i, cell := range row {
			if i > 0 {
				b.WriteString(" ")
			}
			if cell.Valid {
				b.WriteString(cell.String)
			} else {
				b.WriteString("NULL")
			}
		}
		b.WriteString("]")
	}
	return b.String()
}

// differ tells how the rows differ from the wanted ones, whose order counts only if ordered.
func (t table) differ(want []engine.Row, ordered bool) string {
	if len(want) == 1 && len(want[0]) == 0 {
		want = nil // how the engine's tests spell no rows
	}
	told := fmt.Sprintf("got %s, want %s", short(t.String(), 300), short(fmt.Sprint(want), 300))
	if len(t.cells) != len(want) {
		return told
	}
	left := append([][]sql.NullString(nil), t.cells...)
	for _, row := range want {
		at := -1
		for i := range left {
			if t.same(left[i], row) {
				at = i
				break
			}
			if ordered {
				break
			}
		}
		if at < 0 {
			return told
		}
		left = append(left[:at], left[at+1:]...)
	}
	return ""
}

func (t table) same(row []sql.NullString, want engine.Row) bool {
	if len(row) != len(want) {
		return false
	}
	for i := range row {
		if !sameValue(row[i], t.kinds[i], want[i]) {
			return false
		}
	}
	return true
}

// Storage engines and the default collation differ, and so do parentheses around an expression in parentheses.
var (
	options     = regexp.MustCompile(`( ENGINE=| DEFAULT CHARSET=| COLLATE=| CHARACTER SET | COLLATE )\w+`)
	parentheses = regexp.MustCompile(`([()])[()]+`)
	collation   = regexp.MustCompile(`^utf8mb4_\w+$`)
)

func definition(text string) string {
	return parentheses.ReplaceAllString(options.ReplaceAllString(text, ""), "$1")
}

// sameValue compares a value of the wire with the one that the engine's tests want, which is of its own Go types.
func sameValue(got sql.NullString, kind string, want any) bool {
	if want == nil || !got.Valid {
		return want == nil && !got.Valid
	}
	text := got.String
	switch w := want.(type) {
	case bool:
		return text == "1" == w && (text == "1" || text == "0")
	case int, int8, int16, int32, int64, uint, uint8, uint16, uint32, uint64:
		n := fmt.Sprint(w)
		switch kind {
		case "ENUM", "SET": // the wire has their texts
			return true
		case "BIT":
			var bits uint64
			for _, b := range []byte(text) {
				bits = bits<<8 | uint64(b)
			}
			return strconv.FormatUint(bits, 10) == n
		}
		return text == n || sameNumber(text, n)
	case float32:
		return near(text, float64(w), 1e-5)
	case float64:
		return near(text, w, 1e-12)
	case decimal.Decimal:
		return sameNumber(text, w.String())
	case time.Time:
		return sameTime(text, w)
	case types.Timespan:
		return strings.TrimSuffix(text, ".000000") == strings.TrimSuffix(w.String(), ".000000")
	case []byte:
		return text == string(w)
	case string:
		if text == w || strings.HasPrefix(kind, "DECIMAL") && sameNumber(text, w) || kind == "JSON" && sameJSON(text, w) {
			return true
		}
		if collation.MatchString(w) {
			return collation.MatchString(text)
		}
		return strings.HasPrefix(w, "CREATE ") && definition(text) == definition(w)
	case engine.JSONWrapper:
		value, err := w.ToInterface()
		if err != nil {
			return false
		}
		plain, err := json.Marshal(value)
		return err == nil && sameJSON(text, string(plain))
	}
	return text == fmt.Sprint(want)
}

func near(text string, want, most float64) bool {
	n, err := strconv.ParseFloat(text, 64)
	return err == nil && (n == want || math.Abs(n-want) <= most*math.Max(math.Abs(n), math.Abs(want)))
}

func sameNumber(a, b string) bool {
	x, err := decimal.NewFromString(a)
	if err != nil {
		return false
	}
	y, err := decimal.NewFromString(b)
	return err == nil && x.Equal(y)
}

func sameTime(text string, want time.Time) bool {
	for _, layout := range []string{time.DateTime + ".999999", time.DateOnly} {
		if got, err := time.Parse(layout, text); err == nil {
			return got.Equal(want.UTC()) || got.Equal(want)
		}
	}
	return strings.HasPrefix(text, "0000-00-00") && want.Year() <= 0
}

func sameJSON(a, b string) bool {
	x, err := decoded(a)
	if err != nil {
		return false
	}
	y, err := decoded(b)
	return err == nil && reflect.DeepEqual(x, y)
}

func decoded(text string) (value any, err error) {
	d := json.NewDecoder(bytes.NewBufferString(text))
	err = d.Decode(&value)
	return value, err
}
