package session

import (
	"testing"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/document"
)

// TestConvertStored: what a value of one type is stored as in another; "-" is
// a value that can't be converted.
func TestConvertStored(t *testing.T) {
	ctx := sql.NewEmptyContext()
	for _, x := range []struct{ from, to, value, want string }{
		{"int", "bigint", `5`, `5`},
		{"bigint", "int", `2147483648`, "-"},
		{"int", "int unsigned", `-1`, "-"},
		{"bigint unsigned", "bigint", `18446744073709551615`, "-"},
		{"bigint", "bigint unsigned", `9223372036854775807`, `9223372036854775807`},
		{"int", "varchar(20)", `-12`, `"-12"`},
		{"int", "varchar(2)", `123`, "-"},
		{"int", "decimal(10,2)", `7`, `7.00`},
		{"int", "decimal(3,2)", `70`, "-"},
		{"bigint", "double", `9007199254740993`, `9007199254740992.0`},
		{"double", "int", `2.5`, `3`},
		{"double", "int", `-2.5`, `-3`},
		{"double", "int", `2.4`, `2`},
		{"double", "int", `1e300`, "-"},
		{"double", "varchar(20)", `0.1`, `"0.1"`},
		{"float", "varchar(20)", `0.1`, `"0.1"`},
		{"float", "double", `0.1`, `0.1`},
		{"decimal(10,2)", "int", `2.50`, `3`},
		{"decimal(10,2)", "decimal(10,1)", `2.55`, `2.6`},
		{"decimal(10,2)", "varchar(20)", `2.50`, `"2.50"`},
		{"decimal(30,0)", "bigint", `9223372036854775807`, `9223372036854775807`},
		{"decimal(30,0)", "bigint", `9223372036854775808`, "-"},

		{"varchar(20)", "int", `" 12 "`, `12`},
		{"varchar(20)", "int", `"12.6"`, `13`},
		{"varchar(20)", "int", `"1e3"`, `1000`},
		{"varchar(20)", "int", `"12abc"`, "-"},
		{"varchar(20)", "int", `""`, "-"},
		{"varchar(20)", "int", `"nan"`, "-"},
		{"varchar(20)", "int", `"0x10"`, "-"},
		{"varchar(20)", "int", `"1_0"`, "-"},
		{"varchar(30)", "bigint", `"9007199254740993"`, `9007199254740993`},
		{"varchar(30)", "bigint", `"99999999999999999999"`, "-"},
		{"varchar(30)", "int", `"1e1000000000"`, "-"},
		{"varchar(30)", "double", `"1.5"`, `1.5`},
		{"varchar(30)", "double", `"1e400"`, "-"},
		{"varchar(30)", "double", `"Inf"`, "-"},
		{"varchar(30)", "decimal(10,2)", `"1.005"`, `1.01`},
		{"varchar(30)", "decimal(10,2)", `"x"`, "-"},
		{"varchar(30)", "date", `"2026-02-03"`, `"2026-02-03"`},
		{"varchar(30)", "date", `"2026-02-03 10:11:12"`, `"2026-02-03"`},
		{"varchar(30)", "date", `"2026-02-30"`, "-"},
		{"varchar(30)", "date", `"soon"`, "-"},
		{"varchar(30)", "datetime", `"2026-02-03"`, `"2026-02-03 00:00:00"`},
		{"varchar(30)", "time", `"10:11:12"`, `"10:11:12"`},
		{"varchar(30)", "time", `"noon"`, "-"},
		{"varchar(30)", "varchar(3)", `"äöü"`, `"äöü"`},
		{"varchar(30)", "varchar(3)", `"abcd"`, "-"},
		{"varchar(30)", "varbinary(30)", `"ab"`, `"YWI="`},
		{"varbinary(30)", "varchar(30)", `"YWI="`, `"ab"`},
		{"varbinary(30)", "varbinary(1)", `"YWI="`, "-"},
		{"varchar(30)", "json", `"{\"a\": [1]}"`, `{"a":[1]}`},
		{"varchar(30)", "json", `"5"`, `5`},
		{"varchar(30)", "json", `"five"`, `"five"`},
		{"json", "varchar(30)", `{"a":[1]}`, `"{\"a\":[1]}"`},
		{"json", "int", `5`, `5`},
		{"json", "int", `"5"`, `5`},
		{"json", "int", `[5]`, "-"},
		{"json", "int", `true`, `1`},
		{"int", "json", `5`, `5`},
		{"date", "json", `"2026-02-03"`, `"2026-02-03"`},

		{"date", "datetime", `"2026-02-03"`, `"2026-02-03 00:00:00"`},
		{"datetime", "date", `"2026-02-03 10:11:12"`, `"2026-02-03"`},
		{"datetime(6)", "time(6)", `"2026-02-03 10:11:12.500000"`, `"10:11:12.500000"`},
		{"datetime(6)", "time", `"2026-02-03 10:11:12.500000"`, `"10:11:13"`},
		{"time(6)", "time(2)", `"10:11:12.555555"`, `"10:11:12.560000"`},
		{"time(2)", "time(6)", `"10:11:12.560000"`, `"10:11:12.560000"`},
		{"datetime", "varchar(30)", `"2026-02-03 10:11:12"`, `"2026-02-03 10:11:12"`},
		{"datetime", "varchar(5)", `"2026-02-03 10:11:12"`, "-"},
		{"date", "int", `"2026-02-03"`, `20260203`},
		{"datetime", "bigint", `"2026-02-03 10:11:12"`, `20260203101112`},
		{"time", "int", `"-10:11:12"`, `-101112`},
		{"date", "year", `"2026-02-03"`, `2026`},
		{"int", "date", `20260203`, `"2026-02-03"`},
		{"int", "date", `20260230`, "-"},
		{"int", "date", `5`, "-"},
		{"bigint", "datetime", `20260203101112`, `"2026-02-03 10:11:12"`},
		{"time", "datetime", `"10:11:12"`, "-"},
		{"time", "varchar(20)", `"10:11:12"`, `"10:11:12"`},

		{"enum('b','a')", "varchar(3)", `"a"`, `"a"`},
		{"enum('b','a')", "int", `"a"`, `2`},
		{"enum('b','a')", "enum('a','b','c')", `"a"`, `"a"`},
		{"enum('b','a')", "enum('b')", `"a"`, "-"},
		{"varchar(3)", "enum('b','a')", `"a"`, `"a"`},
		{"varchar(3)", "enum('b','a')", `"x"`, "-"},
		{"int", "enum('b','a')", `2`, `"a"`},
		{"set('x','y')", "varchar(9)", `"x,y"`, `"x,y"`},
		{"set('x','y')", "int", `"x,y"`, `3`},
		{"varchar(9)", "set('x','y')", `"y,x"`, `"x,y"`},
		{"bit(8)", "int", `5`, `5`},
		{"int", "bit(2)", `5`, "-"},
		{"year", "int", `2026`, `2026`},
		{"int", "year", `2026`, `2026`},

		// What the column could only read leniently, and what it could not read.
		{"varchar(9)", "int", `5`, `5`},
		{"int", "varchar(9)", `"5"`, `"5"`},
		{"int", "varchar(9)", `"five"`, `"five"`},
		{"int", "int", `"five"`, "-"},
		{"int", "bigint", `null`, `null`},
		{"date", "int", `"never"`, "-"},
	} {
		c := func(typ string) *Column {
			def := &catalog.Table{Columns: []catalog.Column{{Name: "c", Type: typ}}}
			out, err := ColumnAt(def, 0)
			if err != nil {
				t.Fatalf("%s: %v", typ, err)
			}
			return &out
		}
		v, err := document.ParseValue([]byte(x.value), document.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		to := c(x.to)
		got, ok := ConvertStored(ctx, c(x.from), to, v)
		if text := got.Text(); ok && text != x.want || !ok && (x.want != "-" || text != v.Text()) {
			t.Errorf("%s -> %s: %s: got %s, %t; want %s", x.from, x.to, x.value, text, ok, x.want)
		}
		// A value that was not converted is one that the new type can't read.
		if _, err := ReadStored(ctx, to, got); (err == nil) != ok {
			t.Errorf("%s -> %s: %s: converted %t, but reading %s gives %v", x.from, x.to, x.value, ok, got.Text(), err)
		}
	}
}
