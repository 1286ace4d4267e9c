package server

import (
	"testing"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/sqltypes"
	querypb "github.com/dolthub/vitess/go/vt/proto/query"
)

func TestForClient(t *testing.T) {
	spelled := map[string]string{"1.85305925e+06": "1853059.25", "2.5e+20": "2.5e20", "1e-05": "0.00001", "1e-16": "1e-16",
		"-1e+15":               "-1e15",
		"9.99999999999999e+14": "999999999999999", "12.5": "12.5", "0": "0", "5e-324": "5e-324",
		"1.7976931348623157e+308": "1.7976931348623157e308"}
	for in, want := range spelled {
		r := &sqltypes.Result{
			Fields: []*querypb.Field{{Type: querypb.Type_VARCHAR}, {Type: querypb.Type_FLOAT64}},
			Rows: [][]sqltypes.Value{{sqltypes.NewVarChar(in), sqltypes.MakeTrusted(querypb.Type_FLOAT64, []byte(in))},
				{sqltypes.NULL, sqltypes.NULL}},
		}
		forClient(r, nil)
		if got := r.Rows[0][1].ToString(); got != want {
			t.Errorf("%s became %s, want %s", in, got, want)
		}
		if got := r.Rows[0][0].ToString(); got != in {
			t.Errorf("the text %s became %s", in, got)
		}
	}
	short, long := &sqltypes.Result{Info: "Statement prepared"},
		&sqltypes.Result{Info: "Rows matched: 1  Changed: 1  Warnings: 0"}
	forClient(short, nil)
	forClient(long, nil)
	if short.Info != "" || long.Info == "" {
		t.Errorf("the texts became %q and %q", short.Info, long.Info)
	}
	forClient(nil, nil)
}

// TestBooleanLength: clients take a TINYINT column for a boolean if its length is 1.
func TestBooleanLength(t *testing.T) {
	fields := fieldsOf(sql.NewEmptyContext(), sql.Schema{
		{Name: "of a table", Source: "t", Type: types.Boolean},
		{Name: "computed", Type: types.Boolean},
		{Name: "a number", Source: "t", Type: types.Int8},
	})
	for i, want := range []uint32{1, 4, 4} {
		if fields[i].ColumnLength != want {
			t.Errorf("%s: %d, want %d", fields[i].Name, fields[i].ColumnLength, want)
		}
	}
}
