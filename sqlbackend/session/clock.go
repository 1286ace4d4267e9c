package session

import (
	"context"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"

	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
)

// varTimestamp is the variable that stops a session's clock for NOW() and all other functions but SYSDATE().
const varTimestamp = "timestamp"

// TimestampVariable returns that variable; 0 means the clock.
func TimestampVariable() sql.SystemVariable {
	return &sql.MysqlSystemVariable{
		Name: varTimestamp, Scope: sql.GetMysqlScope(sql.SystemVariableScope_Session), Dynamic: true,
		SetVarHintApplies: true, Type: types.NewSystemDoubleType(varTimestamp, 0, math.MaxInt32), Default: 0.0,
	}
}

// StoppedAt returns the value of SET timestamp; 0 if the session uses the clock.
func (s *Session) StoppedAt(ctx *sql.Context) float64 {
	v, err := s.BaseSession.GetSessionVariable(ctx, varTimestamp)
	if err != nil {
		return 0
	}
	stopped, _ := v.(float64)
	return stopped
}

// secondsOf returns a time in the variable's form: seconds since 1970.
func secondsOf(t time.Time) float64 { return float64(t.UnixMicro()) / 1e6 }

// ZoneType is the type of time_zone: SYSTEM, an offset or a known name.
type ZoneType struct{ sql.SystemVariableType }

var hoursMinutes = regexp.MustCompile(`^([+-])(\d{1,2}):(\d{2})$`)

// Convert implements sql.Type. The engine knows an offset of two digits only.
func (t ZoneType) Convert(_ context.Context, v any) (any, sql.ConvertInRange, error) {
	name := fmt.Sprint(v)
	if offset := hoursMinutes.FindStringSubmatch(name); offset != nil {
		hours, _ := strconv.Atoi(offset[2])
		minutes, _ := strconv.Atoi(offset[3])
		most := 14 * 60
		if offset[1] == "-" {
			most--
		}
		if minutes < 60 && hours*60+minutes <= most {
			return fmt.Sprintf("%s%02d:%02d", offset[1], hours, minutes), sql.InRange, nil
		}
	} else if strings.EqualFold(name, "SYSTEM") {
		return "SYSTEM", sql.InRange, nil
	} else if _, err := time.LoadLocation(name); err == nil && name != "" && v != nil {
		return name, sql.InRange, nil
	}
	if v == nil {
		name = "NULL"
	}
	return nil, sql.OutOfRange, mysql.NewSQLError(mysqlerr.UnknownTimeZone, "HY000",
		"Unknown or incorrect time zone: '%s'", name)
}
