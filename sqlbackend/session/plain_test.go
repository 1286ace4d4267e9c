package session

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/sqltypes"
	"github.com/shopspring/decimal"

	"github.com/sqlfdb/sqlfdb/collation"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/internal/testseed"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// TestPlain: what is read without its type's conversion is what the conversion makes of it.
func TestPlain(t *testing.T) {
	seed := testseed.Of(t, "", 0)
	r := rand.New(rand.NewPCG(seed, 0))
	text := func(of sql.StringType) sql.Type {
		return value.TextType{StringType: of.(types.StringType), Coll: collation.Default}
	}
	columns := []sql.Type{types.Int8, types.Int16, types.Int24, types.Int32, types.Int64, types.Uint8, types.Uint16,
		types.Uint24, types.Uint32, types.Uint64, types.Year, types.MustCreateDecimalType(10, 2),
		types.MustCreateDecimalType(5, 0), types.MustCreateDecimalType(18, 6), types.MustCreateDecimalType(30, 10),
		types.Date, types.MustCreateDatetimeType(sqltypes.Datetime, 0), types.MustCreateDatetimeType(sqltypes.Datetime, 3),
		types.Timestamp, types.Float64,
		text(types.MustCreateString(sqltypes.VarChar, 5, sql.Collation_utf8mb4_0900_bin)),
		text(types.MustCreateString(sqltypes.Char, 5, sql.Collation_utf8mb4_0900_bin)), types.LongText}
	met := map[string]int{}
	for i := range 40_000 {
		day := time.Unix(r.Int64N(300_000_000_000)-65_000_000_000, 0).UTC()
		pick := []string{
			fmt.Sprint(r.Int64() >> r.IntN(64) * int64(1-2*r.IntN(2))),
			fmt.Sprintf("%.*f", r.IntN(11), (r.Float64()-.5)*float64(int64(1)<<r.IntN(40))),
			day.Format(`"2006-01-02"`), day.Format(`"2006-01-02 15:04:05"`), day.Format(`"2006-01-02T15:04:05"`),
			day.Format(`"2006-01-02 15:04:05.000"`), `"2023-02-29"`, `"0000-00-00"`, `"2024-00-10"`,
			`"a"`, `"abcde"`, `"abcdef"`, `"ä  "`, `"say \"b"`, `""`, "true", "false", "1e2", "-0", "-0.00", "0.0", `"12"`,
			`{"a":1}`, "[1]", "127", "-128", "255", "65535", "8388607", "-8388609", "99999.994", "99999999.99"}
		v, err := document.ParseValue([]byte(pick[r.IntN(len(pick))]), document.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		typ := columns[i%len(columns)]
		c := &Column{Name: "c", Typ: typ, Unit: UnitOf(typ)}
		got, ok := plain(c, v)
		if !ok {
			continue
		}
		met[typ.String()]++
		want, err := converted(context.Background(), c, v)
		same := reflect.DeepEqual(got, want)
		if d, ok := got.(decimal.Decimal); ok {
			of, isDecimal := want.(decimal.Decimal)
			same = isDecimal && d.Equal(of) && d.Exponent() == of.Exponent()
		}
		if err != nil || !same {
			t.Fatalf("seed %d: %s as %s is read as %#v, converted as %#v (%v)", seed, v.Text(), typ, got, want, err)
		}
	}
	for _, typ := range columns {
		plainly := typ != types.Year && typ != types.Int64 && typ != types.Timestamp && typ != types.Float64 &&
			typ != types.LongText
		if plainly != (met[typ.String()] > 0) {
			t.Errorf("of %s %d values are read plainly", typ, met[typ.String()])
		}
	}
}
