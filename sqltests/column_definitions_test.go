package sqltests

import (
	"encoding/binary"
	"testing"

	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

// comStmtColumns is where a prepared statement's answer tells how many columns it has: behind a zero byte and its
// number.
const comStmtColumns = 1 + 4

// TestColumnDefinitions: what clients are told of columns is what MySQL says: what is no text has the binary character
// set, and a floating-point number any number of decimals, to which the clients of the C library round it.
func TestColumnDefinitions(t *testing.T) {
	const utf8mb4, binaryText, anyDecimals = 255, 63, 31
	s, db := harness.Database(t)
	harness.MustExec(t, db,
		"CREATE TABLE d.t (i INT PRIMARY KEY, f FLOAT, g DOUBLE, d DECIMAL(10,3), b BIT(8), dt DATE, ts DATETIME(6), "+
			"h TIME, y YEAR, s VARCHAR(10), x BLOB, e ENUM('a'), _doc JSON)",
		`INSERT INTO d.t (i, f, g, d, b, dt, ts, h, y, s, x, e) VALUES (1, 1.5, 899.8, 2.25, 5, '2026-01-01', `+
			`'2026-01-01 00:00:00.5', '01:02:03', 2026, 's', 'x', 'a')`)
	want := []struct {
		name                    string
		charset, kind, decimals int
	}{
		{"i", binaryText, 3, 0}, {"f", binaryText, 4, anyDecimals}, {"g", binaryText, 5, anyDecimals},
		{"d", binaryText, 246, 3},
		{"b", binaryText, 16, 0}, {"dt", binaryText, 10, 0}, {"ts", binaryText, 12, 6}, {"h", binaryText, 11, 0},
		{"y", binaryText, 13, 0},
		{"s", utf8mb4, 253, 0}, {"x", binaryText, 252, 0}, {"e", utf8mb4, 254, 0}, {"n", binaryText, 6, 0},
		{"m", binaryText, 5, anyDecimals},
	}
	const query = "SELECT i, f, g, d, b, dt, ts, h, y, s, x, e, NULL AS n, g * 2 AS m FROM d.t"
	for _, kind := range []byte{comQuery, comStmtPrepare} {
		w := dial(t, s.Addr())
		head := w.command(t, kind, query)
		columns := int(head[0])
		if kind == comStmtPrepare {
			columns = int(binary.LittleEndian.Uint16(head[comStmtColumns:]))
		}
		if columns != len(want) {
			t.Fatalf("%q: %d columns", head, columns)
		}
		for _, c := range want {
			// The end of a definition: character set, length, type, flags, decimals, two bytes of nothing.
			p := w.packet(t)
			p = p[len(p)-12:]
			charset, typ, flags, decimals := int(binary.LittleEndian.Uint16(p)), int(p[6]), binary.LittleEndian.Uint16(p[7:]),
				int(p[9])
			if charset != c.charset || typ != c.kind || decimals != c.decimals || (flags&128 != 0) != (charset == binaryText) {
				t.Errorf("command %d: %s: character set %d, type %d, decimals %d, flags %#x", kind, c.name, charset, typ, decimals,
					flags)
			}
		}
	}
}

// TestTemporalParameters: dates and times that a client sends in binary are what it meant, to the microsecond.
func TestTemporalParameters(t *testing.T) {
	s, _ := harness.Database(t)
	w := dial(t, s.Addr())
	for _, p := range []struct {
		kind  byte
		value string
		want  string
	}{
		{12, "\x0b\xea\x07\x01\x02\x03\x04\x05\x06\x00\x00\x00", "2026-01-02 03:04:05.000006"},
		{7, "\x07\xea\x07\x01\x02\x03\x04\x05", "2026-01-02 03:04:05"},
		{10, "\x04\xea\x07\x01\x02", "2026-01-02"},
		{11, "\x0c\x01\x01\x00\x00\x00\x03\x04\x05\x06\x00\x00\x00", "-27:04:05.000006"},
	} {
		head := w.command(t, comStmtPrepare, "SELECT ?")
		number := string(head[1:comStmtColumns])
		for range 2 * 2 { // a parameter and a column, an end behind each
			w.packet(t)
		}
		w.command(t, comStmtExecute, number+"\x00\x01\x00\x00\x00"+"\x00\x01"+string([]byte{p.kind, 0})+p.value)
		w.packet(t) // the column
		w.packet(t)
		row := w.packet(t)
		w.packet(t)
		if len(row) < 3 || string(row[3:]) != p.want {
			t.Errorf("type %d: %q, want %q", p.kind, row, p.want)
		}
	}
}
