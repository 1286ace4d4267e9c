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
	prepareFor(query, n, prepare)
	return nil
}

// prepareFor makes room for the parameters of a statement.
func prepareFor(query string, parameters int, prepare *mysql.PrepareData) {
	prepare.PrepareStmt, prepare.ParamsCount = query, uint16(parameters)
	prepare.ParamsType = make([]int32, parameters)
	prepare.BindVars = make(map[string]*querypb.BindVariable, parameters)
}

// checkParameters refuses parameters that are no numbers of SQL.
func checkParameters(parameters map[string]*querypb.BindVariable) error {
	for _, p := range parameters {
		if p == nil || p.Type != querypb.Type_FLOAT64 && p.Type != querypb.Type_FLOAT32 {
			continue
		}
		if v, err := strconv.ParseFloat(string(p.Value), 64); err == nil && (math.IsNaN(v) || math.IsInf(v, 0)) {
			return mysql.NewSQLError(errWrongArguments, "HY000",
				"Incorrect arguments to mysqld_stmt_execute: a number is not finite")
		}
	}
	return nil
}

// spellTemporals gives the dates and times among a statement's parameters MySQL's spelling. The protocol's
// implementation makes text of them without zeros before a number: 5 microseconds would be half a second.
func spellTemporals(prepare *mysql.PrepareData) {
	for i, t := range prepare.ParamsType {
		p := prepare.BindVars["v"+strconv.Itoa(i+1)]
		if p == nil || p.Type == querypb.Type_NULL_TYPE {
			continue
		}
		switch querypb.Type(t) {
		case querypb.Type_DATE, querypb.Type_DATETIME, querypb.Type_TIMESTAMP, querypb.Type_TIME:
			if text, ok := spelledTemporal(string(p.Value), querypb.Type(t)); ok {
				p.Value = []byte(text)
			}
		}
	}
}

// spelledTemporal is a date or time of numbers that have no zeros before them, and microseconds behind the last point.
// An empty one is the zero of its type.
func spelledTemporal(text string, t querypb.Type) (string, bool) {
	if strings.TrimSpace(text) == "" {
		text = "0-0-0"
	}
	sign := ""
	if rest, negative := strings.CutPrefix(text, "-"); negative {
		sign, text = "-", rest
	}
	var n []int
	for _, part := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune("- :.", r) }) {
		v, err := strconv.Atoi(part)
		if err != nil {
			return "", false
		}
		n = append(n, v)
	}
	out, micro := "", 0
	switch {
	case t == querypb.Type_TIME && (len(n) == 3 || len(n) == 4):
		out = fmt.Sprintf("%s%02d:%02d:%02d", sign, n[0], n[1], n[2])
		n = n[3:]
	case t == querypb.Type_DATE && len(n) == 3:
		return fmt.Sprintf("%04d-%02d-%02d", n[0], n[1], n[2]), true
	case t != querypb.Type_TIME && (len(n) == 3 || len(n) == 6 || len(n) == 7):
		n = append(n, make([]int, max(0, 6-len(n)))...)
		out = fmt.Sprintf("%04d-%02d-%02d %02d:%02d:%02d", n[0], n[1], n[2], n[3], n[4], n[5])
		n = n[6:]
	default:
		return "", false
	}
	if len(n) > 0 {
		micro = n[0]
	}
	if micro > 0 {
		out += fmt.Sprintf(".%06d", micro)
	}
	return out, true
}

// parameterText distinguishes the values of parameters from others.
func parameterText(values map[string]*querypb.BindVariable) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if v := values[name]; v != nil {
			fmt.Fprintf(&b, "%q %d %q\n", name, v.Type, v.Value)
		}
	}
	return b.String()
}
