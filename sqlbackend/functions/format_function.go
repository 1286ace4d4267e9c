package functions

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/expression/function"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"
	"github.com/dolthub/vitess/go/sqltypes"
	"github.com/shopspring/decimal"

	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// formatFunctions are the functions that spell dates, times and sizes, and the parts of the current day in UTC.
func formatFunctions() []*valueDefinition {
	always := func(t sql.Type) func([]sql.Expression) sql.Type { return func([]sql.Expression) sql.Type { return t } }
	return []*valueDefinition{
		{Name: "date_format", description: "a date as a format says.", least: 2, most: 2, typ: always(types.Text),
			give: dateFormatted},
		{Name: "time_format", description: "a time as a format says.", least: 2, most: 2, typ: always(types.Text),
			give: timeFormatted},
		{Name: "from_unixtime", description: "the time so many seconds after 1970.", least: 1, most: 2,
			typ: fromUnixType, give: fromUnix},
		{Name: "to_days", description: "the days since year 0.", least: 1, most: 1, typ: always(types.Int64), give: toDays},
		{Name: "utc_date", description: "the current date in UTC.", typ: always(types.Date), Volatile: true,
			give: func(ctx *sql.Context, _ *ValueFunction, _ []any) (any, error) {
				return ctx.QueryTime().UTC().Truncate(24 * time.Hour), nil
			}},
		{Name: "utc_time", description: "the current time in UTC.", most: 1, typ: TimeOfDigits, Volatile: true,
			give: utcTime},
		{Name: "from_base64", description: "what base-64 spells.", least: 1, most: 1, typ: always(types.LongBlob),
			give: nullOfWrong(function.NewFromBase64)},
		{Name: "uncompress", description: "what was compressed.", least: 1, most: 1, typ: always(types.LongBlob),
			give: nullOfWrong(function.NewUncompress)},
		{Name: "format_bytes", description: "a size with its unit.", least: 1, most: 1, typ: always(types.LongText),
			give: formattedIn(byteUnits)},
		{Name: "format_pico_time", description: "picoseconds with their unit.", least: 1, most: 1,
			typ: always(types.LongText), give: formattedIn(picoUnits)},
	}
}

// dateFormatted computes DATE_FORMAT. The engine's writes %y of 2005 as 5.
func dateFormatted(ctx *sql.Context, _ *ValueFunction, values []any) (any, error) {
	at, ok := momentOf(ctx, values[0])
	if !ok {
		Warn(ctx, mysql.ERTruncatedWrongValue, "Incorrect datetime value: '%v'", values[0])
		return nil, nil
	}
	format, err := value.TextOf(ctx, values[1])
	if err != nil {
		return nil, err
	}
	return spelled(ctx, at, format)
}

// formatPart is the number of bytes of a format that are handled at once. The engine's time grows with their square,
// and can't be interrupted.
const formatPart = 256

// spelled returns a date in a format; NULL where the text is longer than a packet.
func spelled(ctx *sql.Context, at time.Time, format string) (any, error) {
	var out, part strings.Builder
	moment := expression.NewLiteral(at, types.DatetimeMaxPrecision)
	flush := func() error {
		text, err := function.NewDateFormat(moment, expression.NewLiteral(part.String(), types.LongText)).Eval(ctx, nil)
		if err != nil || text == nil {
			return err
		}
		out.WriteString(text.(string))
		part.Reset()
		return ctx.Err()
	}
	for i := 0; i < len(format); i++ {
		switch {
		case format[i] != '%':
			part.WriteByte(format[i])
		case i+1 == len(format): // a final % means itself
			part.WriteString("%%")
		case format[i+1] == 'y':
			i++
			fmt.Fprintf(&part, "%02d", at.Year()%100)
		default:
			i++
			part.WriteString(format[i-1 : i+1])
		}
		if part.Len() >= formatPart {
			if err := flush(); err != nil {
				return nil, err
			}
			if over, err := ExceedsPacket(ctx, "date_format", float64(out.Len())); over || err != nil {
				return nil, err
			}
		}
	}
	if err := flush(); err != nil {
		return nil, err
	}
	return out.String(), nil
}

// timeFormatted computes TIME_FORMAT. Hours may be more than 24, and parts of a date are 0.
func timeFormatted(ctx *sql.Context, _ *ValueFunction, values []any) (any, error) {
	micros, ok := clockOf(ctx, values[0])
	if !ok {
		Warn(ctx, mysql.ERTruncatedWrongValue, "Incorrect time value: '%v'", values[0])
		return nil, nil
	}
	format, err := value.TextOf(ctx, values[1])
	if err != nil {
		return nil, err
	}
	sign := ""
	if micros < 0 {
		sign, micros = "-", -micros
	}
	seconds := micros / 1_000_000
	hours, minute, second := seconds/3600, seconds/60%60, seconds%60
	half := (hours+11)%12 + 1
	ampm := "AM"
	if hours%24 >= 12 {
		ampm = "PM"
	}
	var b strings.Builder
	for i := 0; i < len(format); i++ {
		if i%(formatPart<<8) == 0 && i > 0 {
			if over, err := ExceedsPacket(ctx, "time_format", float64(b.Len())); over || err != nil || ctx.Err() != nil {
				return nil, errors.Join(err, ctx.Err())
			}
		}
		if format[i] != '%' || i+1 == len(format) {
			b.WriteByte(format[i])
			continue
		}
		i++
		switch format[i] {
		case 'H':
			fmt.Fprintf(&b, "%s%02d", sign, hours)
		case 'k':
			fmt.Fprintf(&b, "%s%d", sign, hours)
		case 'h', 'I':
			fmt.Fprintf(&b, "%02d", half)
		case 'l':
			fmt.Fprintf(&b, "%d", half)
		case 'i':
			fmt.Fprintf(&b, "%02d", minute)
		case 's', 'S':
			fmt.Fprintf(&b, "%02d", second)
		case 'f':
			fmt.Fprintf(&b, "%06d", micros%1_000_000)
		case 'p':
			b.WriteString(ampm)
		case 'r':
			fmt.Fprintf(&b, "%02d:%02d:%02d %s", half, minute, second, ampm)
		case 'T':
			fmt.Fprintf(&b, "%s%02d:%02d:%02d", sign, hours, minute, second)
		case 'd', 'm', 'y':
			b.WriteString("00")
		case 'c', 'e':
			b.WriteByte('0')
		case 'Y':
			b.WriteString("0000")
		case 'a', 'b', 'D', 'j', 'M', 'u', 'U', 'v', 'V', 'w', 'W', 'x', 'X':
			return nil, nil
		default:
			b.WriteByte(format[i])
		}
	}
	return b.String(), nil
}

// wholeDatetime is a DATETIME without fractions.
var wholeDatetime = types.MustCreateDatetimeType(sqltypes.Datetime, 0)

func fromUnixType(args []sql.Expression) sql.Type {
	switch {
	case len(args) == 2:
		return types.Text
	case types.IsInteger(args[0].Type()):
		return wholeDatetime
	}
	return types.DatetimeMaxPrecision
}

// fromUnix computes FROM_UNIXTIME.
func fromUnix(ctx *sql.Context, _ *ValueFunction, values []any) (any, error) {
	seconds, ok := NumberAsDecimal(ctx, values[0])
	if !ok || seconds.IsNegative() || seconds.GreaterThanOrEqual(decimal.NewFromInt(function.MaxUnixTimeSecs+1)) {
		return nil, nil
	}
	zone, err := sessionZone(ctx)
	if err != nil {
		return nil, err
	}
	at := clockIn(time.Unix(seconds.Truncate(0).IntPart(), 0), zone)
	at = at.Add(time.Duration(seconds.Sub(seconds.Truncate(0)).Shift(6).Round(0).IntPart()) * time.Microsecond)
	if len(values) == 1 {
		return at, nil
	}
	format, err := value.TextOf(ctx, values[1])
	if err != nil {
		return nil, err
	}
	return spelled(ctx, at, format)
}

func toDays(ctx *sql.Context, f *ValueFunction, values []any) (any, error) {
	seconds, err := toSeconds(ctx, f, values)
	if n, ok := seconds.(int64); ok {
		return n / (24 * 3600), err
	}
	return nil, err
}

// tooBigPrecision is MySQL's number for too many fractional digits of a second.
const tooBigPrecision = 1426

func utcTime(ctx *sql.Context, _ *ValueFunction, values []any) (any, error) {
	now := ctx.QueryTime().UTC()
	length := time.Second
	if len(values) > 0 {
		digits, ok := roundedOf(ctx, values[0])
		if !ok || digits < 0 || digits > 6 {
			return nil, mysql.NewSQLError(tooBigPrecision, "42000", "Too-big precision specified for 'utc_time'. Maximum is 6.")
		}
		for range digits {
			length /= 10
		}
	}
	return types.Timespan(now.Sub(now.Truncate(24 * time.Hour)).Truncate(length).Microseconds()), nil
}

// nullOfWrong wraps a function so that it is NULL for an invalid value, where the engine's ends the statement.
func nullOfWrong(of func(sql.Expression) sql.Expression) func(*sql.Context, *ValueFunction, []any) (any, error) {
	return func(ctx *sql.Context, f *ValueFunction, values []any) (any, error) {
		v, err := of(expression.NewLiteral(values[0], f.args[0].Type())).Eval(ctx, nil)
		if err != nil {
			Warn(ctx, incorrectValue, "Incorrect value for function %s", f.Name)
			return nil, nil
		}
		return v, nil
	}
}

// scale is a unit of FORMAT_BYTES or FORMAT_PICO_TIME: the least number that it is for, and its name.
type scale struct {
	size float64
	name string
}

var (
	byteUnits = []scale{{1 << 60, "EiB"}, {1 << 50, "PiB"}, {1 << 40, "TiB"}, {1 << 30, "GiB"}, {1 << 20, "MiB"},
		{1 << 10, "KiB"}, {1, "bytes"}}
	picoUnits = []scale{{86400e12, "d"}, {3600e12, "h"}, {60e12, "min"}, {1e12, "s"}, {1e9, "ms"}, {1e6, "us"},
		{1e3, "ns"}, {1, "ps"}}
)

func formattedIn(units []scale) func(*sql.Context, *ValueFunction, []any) (any, error) {
	return func(ctx *sql.Context, _ *ValueFunction, values []any) (any, error) {
		n := value.AsDouble(ctx, values[0])
		size := max(n, -n)
		for _, u := range units {
			switch {
			case size < u.size && u.size > 1:
				continue
			case u.size == 1:
				width := 4
				if u.name == "ps" {
					width = 3
				}
				return fmt.Sprintf("%*.0f %s", width, n, u.name), nil
			case size/u.size >= 100000:
				return fmt.Sprintf("%.2e %s", n/u.size, u.name), nil
			}
			return fmt.Sprintf("%.2f %s", n/u.size, u.name), nil
		}
		return nil, nil
	}
}
