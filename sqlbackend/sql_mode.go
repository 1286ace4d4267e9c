package sqlbackend

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/sqlfdb/sqlfdb/sqlbackend/functions"
	"github.com/sqlfdb/sqlfdb/sqlbackend/setting"
	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
)

// sqlModes are MySQL's SQL modes, each at its bit.
var sqlModes = []string{
	"REAL_AS_FLOAT", "PIPES_AS_CONCAT", "ANSI_QUOTES", "IGNORE_SPACE", "", "ONLY_FULL_GROUP_BY",
	"NO_UNSIGNED_SUBTRACTION", "NO_DIR_IN_CREATE",
	"", "", "", "", "", "", "", "", "", "", "ANSI", "NO_AUTO_VALUE_ON_ZERO", "NO_BACKSLASH_ESCAPES",
	"STRICT_TRANS_TABLES", "STRICT_ALL_TABLES",
	"NO_ZERO_IN_DATE", "NO_ZERO_DATE", "ALLOW_INVALID_DATES", "ERROR_FOR_DIVISION_BY_ZERO", "TRADITIONAL", "",
	"HIGH_NOT_PRECEDENCE",
	"NO_ENGINE_SUBSTITUTION", "PAD_CHAR_TO_FULL_LENGTH", "TIME_TRUNCATE_FRACTIONAL",
}

// joinedModes are the modes that one stands for, itself beside.
var joinedModes = map[string][]string{
	"ANSI": {"REAL_AS_FLOAT", "PIPES_AS_CONCAT", "ANSI_QUOTES", "IGNORE_SPACE", "ONLY_FULL_GROUP_BY"},
	"TRADITIONAL": {"STRICT_TRANS_TABLES", "STRICT_ALL_TABLES", "NO_ZERO_IN_DATE", "NO_ZERO_DATE",
		"ERROR_FOR_DIVISION_BY_ZERO", "NO_ENGINE_SUBSTITUTION"},
}

// goneModes are SQL modes that MySQL 8 has no more and programs still set: dump
// programs, and clients made for MySQL 5.
var goneModes = []string{"NO_KEY_OPTIONS", "NO_TABLE_OPTIONS", "NO_FIELD_OPTIONS", "NO_AUTO_CREATE_USER"}

// idleModes are modes that are kept and change nothing.
var idleModes = []string{"REAL_AS_FLOAT", "NO_UNSIGNED_SUBTRACTION", "ALLOW_INVALID_DATES", "PAD_CHAR_TO_FULL_LENGTH",
	"TIME_TRUNCATE_FRACTIONAL"}

// modesType is the type of sql_mode: a list of names, in MySQL's order.
type modesType struct{ sql.SystemVariableType }

// Convert implements sql.Type.
func (t modesType) Convert(_ context.Context, v any) (any, sql.ConvertInRange, error) {
	modes, refused := modesOf(v)
	if refused != nil {
		return nil, sql.OutOfRange, sql.ErrInvalidSystemVariableValue.New("sql_mode", *refused)
	}
	return modes, sql.InRange, nil
}

// modesOf is a value of sql_mode in MySQL's order, or what of it is refused.
func modesOf(v any) (modes string, refused *string) {
	named := map[string]bool{}
	switch v := v.(type) {
	case nil:
		null := "NULL"
		return "", &null
	case string:
		for _, name := range strings.Split(v, ",") {
			if name = strings.ToUpper(strings.TrimSpace(name)); name == "" || slices.Contains(goneModes,
				name) {
				continue
			}
			if !slices.Contains(sqlModes, name) {
				return "", &name
			}
			named[name] = true
		}
	default:
		text := fmt.Sprint(v)
		bits, err := strconv.ParseUint(text, 10, 64)
		if err != nil || bits>>len(sqlModes) != 0 {
			return "", &text
		}
		for i, name := range sqlModes {
			if bits&(1<<i) == 0 {
				continue
			}
			if name == "" {
				return "", &text
			}
			named[name] = true
		}
	}
	for name, parts := range joinedModes {
		for _, part := range parts {
			named[part] = named[part] || named[name]
		}
	}
	var list []string
	for _, name := range sqlModes {
		if named[name] && name != "" {
			list = append(list, name)
		}
	}
	return strings.Join(list, ","), nil
}

// warnModes tells of modes that a statement sets and that change nothing.
func warnModes(s *Session, v any) {
	text, ok := v.(string)
	if !ok {
		return
	}
	names := strings.Split(strings.ReplaceAll(strings.ToUpper(text), " ", ""), ",")
	for _, name := range names {
		if slices.Contains(idleModes, name) && !(name == "REAL_AS_FLOAT" && slices.Contains(names, "ANSI")) {
			functions.WarnSession(s, 1105, "The SQL mode %s has no effect", name)
		}
	}
}

// Plain is a text of a session's client, spelled as it is without SQL modes up to its first semicolon.
func (b *Backend) Plain(connection uint32, text string) (string, error) {
	var v any
	if s, ok := b.Session(connection); ok {
		v, _ = s.GetSessionVariable(nil, setting.Modes)
	} else {
		_, v, _ = sql.SystemVariables.GetGlobal(setting.Modes)
	}
	modes, ok := v.(string)
	if !ok || modes == sql.DefaultSqlMode || modes == "" {
		return text, nil
	}
	on := func(mode string) bool { return strings.Contains(modes, mode) }
	return statement.Dialect{
		Quotes: on("ANSI_QUOTES"), Pipes: on("PIPES_AS_CONCAT"), Backslash: on("NO_BACKSLASH_ESCAPES"),
		HighNot: on("HIGH_NOT_PRECEDENCE"),
	}.Plain(text)
}
