package functions

import (
	"strings"
	"sync"
	"time"
	_ "time/tzdata" // for machines without files of time zones
	"unicode"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression/function"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"

	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// The engine reads a zone's file for each row. And it takes a zone's offset at the time that a clock elsewhere shows,
// so that for hours before and after a change of the clocks the result is wrong.

// zones are the time zones that have been found, by their names as the database of zones spells them.
var zones sync.Map

// zoneNamed returns a time zone: SYSTEM, an offset like +01:00, or a name, in any case.
func zoneNamed(name string) (*time.Location, bool) {
	if found, ok := zones.Load(name); ok {
		return found.(*time.Location), true
	}
	zone, ok := findZone(name)
	if ok && zone.String() == name { // the ways to spell a name have no end
		zones.Store(strings.Clone(name), zone)
	}
	return zone, ok
}

func findZone(name string) (*time.Location, bool) {
	if offset, fixed := zoneOffset(name); fixed {
		const most = 14 * time.Hour // of 13:59 behind UTC
		return time.FixedZone(name, int(offset/time.Second)), offset <= most && offset > -most
	}
	switch {
	case strings.EqualFold(name, "SYSTEM"):
		return time.Local, true
	case name == "" || name == "Local": // names for package time alone
		return nil, false
	}
	for _, spelled := range []string{name, strings.ToUpper(name), titled(name)} {
		if zone, err := time.LoadLocation(spelled); err == nil {
			return zone, true
		}
	}
	return nil, false
}

// titled spells each word of a name with a capital: Europe/Berlin.
func titled(name string) string {
	begins := true
	return strings.Map(func(r rune) rune {
		defer func() { begins = r == '/' || r == '_' || r == '-' }()
		if begins {
			return unicode.ToUpper(r)
		}
		return unicode.ToLower(r)
	}, name)
}

// clockIn returns what a clock in a zone shows at a moment, as a time in UTC.
func clockIn(moment time.Time, zone *time.Location) time.Time {
	_, offset := moment.In(zone).Zone()
	return moment.UTC().Add(time.Duration(offset) * time.Second)
}

// instantOf returns when a clock in a zone shows a time, which is in UTC. Of two moments it is the first one. Where the
// clocks are put forward over the time, it is the moment when they are.
func instantOf(clock time.Time, zone *time.Location) time.Time {
	at := func(offset int) time.Time { return clock.Add(-time.Duration(offset) * time.Second) }
	const around = 24 * time.Hour // more than any offset is from UTC, less than between two changes
	_, before := clock.Add(-around).In(zone).Zone()
	_, after := clock.Add(around).In(zone).Zone()
	for _, offset := range []int{max(before, after), min(before, after)} { // the first moment has the greater one
		if _, there := at(offset).In(zone).Zone(); there == offset {
			return at(offset)
		}
	}
	change, _ := at(before).In(zone).ZoneBounds()
	return change.UTC()
}

// convertTz computes CONVERT_TZ. A moment that a TIMESTAMP can't have stays as it is, as in MySQL.
func convertTz(ctx *sql.Context, _ *ValueFunction, values []any) (any, error) {
	clock, err := types.DatetimeMaxPrecision.ConvertWithoutRangeCheck(ctx, values[0])
	if err != nil || clock.Year() <= 0 {
		return nil, nil
	}
	var named [2]*time.Location
	for i := range named {
		name, err := value.TextOf(ctx, values[1+i])
		if err != nil {
			return nil, err
		}
		zone, ok := zoneNamed(name)
		if !ok {
			return nil, nil
		}
		named[i] = zone
	}
	moment := instantOf(clock, named[0])
	if moment.Unix() < 1 || moment.Unix() > function.MaxUnixTimeSecs {
		return clock, nil
	}
	return clockIn(moment, named[1]), nil
}

// sessionZone returns the session's time zone.
func sessionZone(ctx *sql.Context) (*time.Location, error) {
	name, err := function.SessionTimeZone(ctx)
	if err != nil {
		return nil, err
	}
	if zone, ok := zoneNamed(name); ok {
		return zone, nil
	}
	return time.UTC, nil // the variable's type has checked the name
}

func datetimeOfMicroseconds([]sql.Expression) sql.Type { return types.DatetimeMaxPrecision }

// ShownInZone returns a moment as a time from which the engine's NOW() finds what a clock in the session's zone shows,
// where that zone has a name. NOW() takes the zone's offset at the time that the moment is shown as.
func ShownInZone(ctx *sql.Context, moment time.Time) time.Time {
	name, err := function.SessionTimeZone(ctx)
	if _, fixed := zoneOffset(name); fixed || err != nil || strings.EqualFold(name, "SYSTEM") {
		return moment
	}
	_, system := moment.Local().Zone() // the engine adds it
	zone, ok := zoneNamed(name)
	if !ok || system != 0 {
		return moment
	}
	right := clockIn(moment, zone)
	for _, shown := range []time.Time{moment.In(zone), moment.UTC()} {
		there := time.Date(shown.Year(), shown.Month(), shown.Day(), shown.Hour(), shown.Minute(), shown.Second(),
			shown.Nanosecond(), zone)
		if got := shown.Add(shown.Sub(there)); got.Format(time.DateTime) == right.Format(time.DateTime) {
			return shown
		}
	}
	return moment
}

// sysdate computes SYSDATE: the time at which it is asked for, not the statement's.
func sysdate(ctx *sql.Context, f *ValueFunction, _ []any) (any, error) {
	length, err := lengthOfDigits(f, "sysdate")
	if err != nil {
		return nil, err
	}
	zone, err := sessionZone(ctx)
	if err != nil {
		return nil, err
	}
	return clockIn(sql.Now(), zone).Truncate(length), nil
}

// lengthOfDigits returns how long the last digit is that a function's argument asks for, at most six; a second without
// an argument.
func lengthOfDigits(f *ValueFunction, name string) (time.Duration, error) {
	t, ok := TimeOfDigits(f.args).(value.TimeType)
	if !ok {
		return 0, mysql.NewSQLError(tooBigPrecision, "42000", "Too-big precision specified for '%s'. Maximum is 6.", name)
	}
	length := time.Second
	for range t.Digits {
		length /= 10
	}
	return length, nil
}
