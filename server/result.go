package server

import (
	"bytes"
	"errors"
	"math"
	"strconv"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/mysql"
	"github.com/dolthub/vitess/go/sqltypes"
	querypb "github.com/dolthub/vitess/go/vt/proto/query"

	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// announcedInfo is the length in bytes that the protocol's writer announces for
// the text of an OK packet, whatever the text: it writes a '#' where the length
// belongs. Clients take a longer text as it is and refuse a shorter one as a malformed packet.
const announcedInfo = '#'

// columnsOf describes the columns of a result by their numbers.
type columnsOf func(column int) value.ResultColumn

// answered is what of a statement's result has been sent.
type answered struct{ some, rows bool }

func (a *answered) any() bool { return a.some }

// note notes a part of the result that is sent next, and makes it what clients expect.
func (a *answered) note(r *sqltypes.Result, columns columnsOf) {
	a.some = true
	a.rows = r != nil && len(r.Fields) > 0
	forClient(r, columns)
}

// breakOff sends the error of a statement that has failed behind its first rows; nil: it is sent. The protocol's
// implementation would end the connection there, and with it the session's transaction. So it is told that the result
// is at its end, and what it then writes, the packet that says so, becomes the error.
func (a *answered) breakOff(c *mysql.Conn, err error) error {
	var e *mysql.SQLError
	wire := wireOf(c)
	if !a.rows || wire == nil || !errors.As(err, &e) || c.FlushBuffer() != nil {
		return err
	}
	wire.failure.Store(e)
	return nil
}

// errorPacket is an error as a packet with that number in its exchange.
func errorPacket(number byte, e *mysql.SQLError) []byte {
	state := e.State
	if len(state) != 5 {
		state = mysql.SSUnknownSQLState
	}
	text := e.Message[:min(len(e.Message), longPacket/2)]
	n := 1 + 2 + 1 + len(state) + len(text)
	b := append(make([]byte, 0, packetHeader+n), byte(n), byte(n>>8), byte(n>>16), number, mysql.ErrPacket, byte(e.Num),
		byte(e.Num>>8), '#')
	return append(append(b, state...), text...)
}

// forClient makes of the engine's result what MySQL's clients expect: an OK
// packet that they can read and that counts rows only where there are some, and doubles in MySQL's spelling instead of
// Go's.
func forClient(r *sqltypes.Result, columns columnsOf) {
	if r == nil {
		return
	}
	if len(r.Fields) == 0 && len(r.Rows) > 0 {
		r.Rows, r.RowsAffected = nil, 0 // the engine's SET gives a row of nothing
	}
	if len(r.Info) < announcedInfo {
		r.Info = ""
	}
	describe(r.Fields, columns)
	for i, f := range r.Fields {
		if digits := shownDigits(f); digits > 0 {
			for _, row := range r.Rows {
				if !row[i].IsNull() {
					row[i] = sqltypes.MakeTrusted(row[i].Type(), value.WithFraction(row[i].Raw(), digits))
				}
			}
		}
		if f.Type != querypb.Type_FLOAT64 && f.Type != querypb.Type_FLOAT32 {
			continue
		}
		bits := 64
		if f.Type == querypb.Type_FLOAT32 {
			bits = 32
		}
		for _, row := range r.Rows {
			if row[i].IsNull() {
				continue
			}
			if text := row[i].Raw(); bytes.IndexByte(text, 'e') >= 0 {
				row[i] = sqltypes.MakeTrusted(row[i].Type(), respell(text, bits))
			}
		}
	}
}

// anyDecimals is what MySQL says of the decimals of a number that has no fixed number of them. Clients that make text
// of a double in binary, as those of the C library do, round it to what is said.
const anyDecimals = 31

// shownDigits is how many digits behind the point of its seconds each date of a column has. Six are also said of what
// is computed and has fewer.
func shownDigits(f *querypb.Field) int {
	if f.Type != querypb.Type_DATETIME && f.Type != querypb.Type_TIMESTAMP || f.Decimals == 6 && f.Database == "" {
		return 0
	}
	return int(f.Decimals)
}

// describe makes of the engine's description of columns MySQL's: what is no text has the binary character set and flag,
// and the seconds of times have the decimals of their types, to which clients cut them where they come in binary. A
// column of a view or derived table has that for its table, and what it reads for its original one. What the engine
// does not tell columns does, unless it is nil.
func describe(fields []*querypb.Field, columns columnsOf) {
	for i, f := range fields {
		var of value.ResultColumn
		if columns != nil {
			of = columns(i)
		}
		if of.Table != "" {
			f.Table = of.Table
		}
		switch {
		case f.Type == querypb.Type_BIT, f.Type == querypb.Type_NULL_TYPE, f.Type == querypb.Type_DECIMAL,
			sqltypes.IsIntegral(f.Type):
		case f.Type == querypb.Type_DATE, f.Type == querypb.Type_DATETIME:
		case f.Type == querypb.Type_TIMESTAMP, f.Type == querypb.Type_TIME:
			if columns != nil {
				f.Decimals = of.Decimals
			}
		case sqltypes.IsFloat(f.Type):
			f.Decimals = anyDecimals
		default:
			continue
		}
		f.Charset = uint32(sql.Collation_binary)
		f.Flags |= uint32(querypb.MySqlFlag_BINARY_FLAG)
	}
}

// Bounds between which MySQL spells a double without an exponent.
const (
	leastPlain    = 1e-15
	greatestPlain = 1e15
)

// respell spells a floating-point number as MySQL does: with the fewest digits
// that read back as the same number, an exponent only for the very large and the
// very small, and no sign before a positive exponent.
func respell(text []byte, bits int) []byte {
	v, err := strconv.ParseFloat(string(text), bits)
	if err != nil || math.IsInf(v, 0) {
		return text
	}
	if a := math.Abs(v); a >= leastPlain && a < greatestPlain {
		return strconv.AppendFloat(nil, v, 'f', -1, bits)
	}
	return bytes.Replace(strconv.AppendFloat(nil, v, 'e', -1, bits), []byte("e+"), []byte("e"), 1)
}
