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

// announcedInfo is the length in bytes that the protocol's writer announces for every text
// of an OK packet: it writes a '#' where the length belongs. Clients take a longer text as
// it is and refuse a shorter one as a malformed packet.
const announcedInfo = '#'

// columnsOf describes the columns of a result by their numbers.
type columnsOf func(column int) value.ResultColumn

// answered says which parts of a statement's result have been sent.
type answered struct{ some, rows bool }

func (a *answered) any() bool { return a.some }

// note notes a part of the result that is sent next, and converts it for clients.
func (a *answered) note(r *sqltypes.Result, columns columnsOf) {
	a.some = true
	a.rows = r != nil && len(r.Fields) > 0
	forClient(r, columns)
}

// breakOff sends the error of a statement that has failed behind its first rows; nil: it is sent. The protocol's
// implementation would end the connection there, and with it the session's transaction. So it gets the end of the
// result instead, and the packet that it then writes for the end is replaced by the error.
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

// forClient changes the engine's result into the form that MySQL's clients expect. They need an OK packet that they
// can read and that counts rows only where there are some. They get doubles in MySQL's spelling instead of Go's.
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

// anyDecimals is MySQL's number of decimals for a column without a fixed number of them. Clients that make text of a
// binary double, as with the C library, round it to the number of decimals.
const anyDecimals = 31

// shownDigits is how many digits behind the point of its seconds each date of a column has; 0 if that is not known.
// Computed dates are described with six, and may have fewer.
func shownDigits(f *querypb.Field) int {
	if f.Type != querypb.Type_DATETIME && f.Type != querypb.Type_TIMESTAMP || f.Decimals == 6 && f.Database == "" {
		return 0
	}
	return int(f.Decimals)
}

// describe turns the engine's description of columns into MySQL's. Columns other than texts get the binary character
// set and flag. Seconds get the decimals of their type, to which clients cut times that come in binary. A column of a
// view or derived table has that as its table, and the table that it reads as its original one. columns, unless it is
// nil, has the facts that the engine leaves out.
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

// respell spells a floating-point number as MySQL does: with the fewest digits that read
// back as the same number. Only very large and very small numbers have an exponent, and a
// positive one has no sign.
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
