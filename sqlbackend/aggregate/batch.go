package aggregate

import (
	"fmt"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/sqlfdb/sqlfdb/ordered"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
)

// OutOfBatches returns the reason why the rows along a path can't be read in batches; "" where they can.
func (p *Path) OutOfBatches() string {
	switch {
	case p.method != readValues && p.method != readEntries:
		return "counters or the ends of entries tell it"
	case p.Ordered:
		return "groups come in order"
	case p.tuple == nil && (p.use.column < 0 || p.use.path != nil):
		return "read within documents"
	}
	return ""
}

// Values reads a table value by value. A row is valid until the next one; it stands for Count documents.
func Values(ctx *sql.Context, p *Path) (*Rows, error) {
	rows, err := aggregate(p.Table, ctx, p)
	if err == nil {
		rows.reused = make(sql.Row, len(rows.table.Columns))
	}
	return rows, err
}

// Integers reads the next values into into, and how many documents have each into counts, while they are integers
// from least to most. It returns how many it read. After 0, Next reads the next value.
func (i *Rows) Integers(ctx *sql.Context, into, counts []int64, least, most int64) (n int, err error) {
	p := i.Path
	if p.tuple != nil || p.use.path != nil || i.within != nil || len(i.rows) > 0 ||
		i.reader.Unit != session.UnitInt64 && i.reader.Unit != session.UnitNumber {
		return 0, nil
	}
	for n < len(into) && i.on {
		v, ok := ordered.Int64(i.walk.Value())
		if !ok || v < least || v > most {
			break
		}
		into[n], counts[n] = v, 1
		if p.method == readValues {
			i.on = i.walk.NextValue()
		} else {
			for i.on = i.walk.Next(); i.on && i.walk.Same(); i.on = i.walk.Next() {
				if counts[n]++; counts[n]%1024 == 0 && ctx.Err() != nil {
					return 0, mysqlerr.Of(ctx, ctx.Err())
				}
			}
		}
		n++
		if n%64 == 0 && ctx.Err() != nil {
			return 0, mysqlerr.Of(ctx, ctx.Err())
		}
	}
	if i.walk != nil && i.walk.Err() != nil {
		return 0, mysqlerr.Of(ctx, fmt.Errorf("sqlbackend: read %s: %w", i.table.Def, i.walk.Err()))
	}
	return n, nil
}
