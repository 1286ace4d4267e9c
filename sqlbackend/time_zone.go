package sqlbackend

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/mysql"

	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
)

// zoneType is the type of time_zone: SYSTEM, an offset or a name that is known.
type zoneType struct{ sql.SystemVariableType }

var hoursMinutes = regexp.MustCompile(`^([+-])(\d{1,2}):(\d{2})$`)

// Convert implements sql.Type. The engine knows an offset of two digits only.
func (t zoneType) Convert(_ context.Context, v any) (any, sql.ConvertInRange, error) {
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
