package prompt

import (
	"database/sql"
	"encoding/hex"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// kind is the kind of a column's values, as far as it matters for showing them.
type kind uint8

const (
	kindText kind = iota
	kindNumber
	kindJSON
)

type column struct {
	name string
	kind kind
}

// cell is one value as a text.
type cell struct {
	text string
	null bool
}

func columnsOf(rows *sql.Rows) ([]column, error) {
	types, err := rows.ColumnTypes()
	if err != nil {
		return nil, err
	}
	columns := make([]column, len(types))
	for i, t := range types {
		columns[i].name = t.Name()
		switch name := t.DatabaseTypeName(); {
		case name == "JSON":
			columns[i].kind = kindJSON
		case strings.Contains(name, "INT"), name == "DECIMAL", name == "DOUBLE", name == "FLOAT", name == "YEAR":
			columns[i].kind = kindNumber
		}
	}
	return columns, nil
}

// Bounds between which MySQL spells a double without an exponent.
const (
	leastPlain    = 1e-15
	greatestPlain = 1e15
)

// cellOf spells a value of the driver as MySQL does.
func cellOf(v any) cell {
	switch v := v.(type) {
	case nil:
		return cell{text: "NULL", null: true}
	case []byte:
		return cell{text: shown(string(v))}
	case string:
		return cell{text: shown(v)}
	case int64:
		return cell{text: strconv.FormatInt(v, 10)}
	case uint64:
		return cell{text: strconv.FormatUint(v, 10)}
	case float32:
		return cell{text: spell(float64(v), 32)}
	case float64:
		return cell{text: spell(v, 64)}
	case time.Time:
		return cell{text: v.Format("2006-01-02 15:04:05.999999")}
	case bool:
		return cell{text: map[bool]string{true: "1", false: "0"}[v]}
	}
	return cell{}
}

func spell(v float64, bits int) string {
	if a := math.Abs(v); v == 0 || a >= leastPlain && a < greatestPlain {
		return strconv.FormatFloat(v, 'f', -1, bits)
	}
	return strings.Replace(strconv.FormatFloat(v, 'e', -1, bits), "e+", "e", 1)
}

// shown is a text in UTF-8, or other bytes in a readable form.
func shown(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return "0x" + strings.ToUpper(hex.EncodeToString([]byte(s)))
}
