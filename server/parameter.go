package server

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/dolthub/vitess/go/mysql"
	querypb "github.com/dolthub/vitess/go/vt/proto/query"
	"github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/sqlbackend"
)

// MySQL's errors of a prepared statement's parameters.
const (
	errWrongArguments      = 1210
	errTooManyPlaceholders = 1390
)

// checkPlaceholders refuses a statement with more parameters than the protocol counts.
// The marks within strings and comments count too: only a statement with tens of
// thousands of them is concerned.
func checkPlaceholders(query string) error {
	if strings.Count(query, "?") > math.MaxUint16 {
		return errTooMany
	}
	return nil
}

// errTooMany is of a statement with more parameters than the protocol counts.
var errTooMany = mysql.NewSQLError(errTooManyPlaceholders, "HY000", "Prepared statement contains too many placeholders")

// read reads a statement that is to be prepared, and counts its parameters.
func read(ctx context.Context, query string, options sqlparser.ParserOptions, prepare *mysql.PrepareData) error {
	n, err := sqlbackend.ReadPrepared(ctx, query, options)
	if err != nil {
		return err
	}
	if n > math.MaxUint16 {
		return errTooMany
	}
	prepare.PrepareStmt, prepare.ParamsCount = query, uint16(n)
	prepare.ParamsType = make([]int32, n)
	prepare.BindVars = make(map[string]*querypb.BindVariable, n)
	return nil
}

// checkParameters refuses parameters that are no numbers of SQL.
func checkParameters(parameters map[string]*querypb.BindVariable) error {
	for _, p := range parameters {
		if p == nil || p.Type != querypb.Type_FLOAT64 && p.Type != querypb.Type_FLOAT32 {
			continue
		}
		if v, err := strconv.ParseFloat(string(p.Value), 64); err == nil && (math.IsNaN(v) || math.IsInf(v, 0)) {
			return mysql.NewSQLError(errWrongArguments, "HY000", "Incorrect arguments to mysqld_stmt_execute: a number is not finite")
		}
	}
	return nil
}

// parameterText tells the values of parameters apart from others.
func parameterText(values map[string]*querypb.BindVariable) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if v := values[name]; v != nil {
			fmt.Fprintf(&b, "%q %d %q\n", name, v.Type, v.Value)
		}
	}
	return b.String()
}
