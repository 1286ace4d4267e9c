package session

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/encodings"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"

	"github.com/sqlfdb/sqlfdb/sqlbackend/functions"
	"github.com/sqlfdb/sqlfdb/sqlbackend/setting"
)

// InitSessionVariable implements sql.Session.
func (s *Session) InitSessionVariable(ctx *sql.Context, name string, value any) error {
	s.Settings = ""
	return s.BaseSession.InitSessionVariable(ctx, name, value)
}

// dumpStart is the first statement of dump programs with any options: in a comment that only a server reads.
const dumpStart = "/*!40100 SET @@SQL_MODE="

// SetSessionVariable implements sql.Session.
func (s *Session) SetSessionVariable(ctx *sql.Context, name string, value interface{}) error {
	name, s.Settings = setting.CurrentName(name), ""
	if err := checkCharacterSet(strings.ToLower(name), value); err != nil {
		return err
	}
	if old, err := s.BaseSession.GetSessionVariable(ctx, name); err == nil {
		s.undo = append(s.undo, func() {
			s.Settings = ""
			_ = s.BaseSession.SetSessionVariable(ctx, name, old)
		})
	}
	switch {
	case strings.EqualFold(name, "autocommit") && s.Restoring() && off(value):
		// Newer dumps put the rows of a table into one transaction.
		ctx.Warn(1105, "a dump is being read: its statements commit by themselves, and autocommit stays on")
		return nil
	case strings.EqualFold(name, "sql_quote_show_create"):
		s.Dumping.quotes = true
	case strings.EqualFold(name, "time_zone"):
		s.Dumping.utc = value == "+00:00"
	case strings.EqualFold(name, "sql_mode"):
		warnModes(s, value)
	}
	return s.BaseSession.SetSessionVariable(ctx, name, value)
}

// dumping has the settings and statements of a session that show a dump program.
type dumping struct{ quotes, utc, begun bool }

// On reports whether the session belongs to a dump program.
func (d dumping) On() bool { return d.begun || d.quotes && d.utc }

// Note looks for statements that only dump programs send: their first one, and the search for files of tablespaces
// before they list databases.
func (d *dumping) Note(query string) {
	d.begun = d.begun || strings.HasPrefix(query, dumpStart) ||
		strings.Contains(query, "FROM INFORMATION_SCHEMA.FILES WHERE FILE_TYPE = 'UNDO LOG'")
}

// Restoring reports whether the session has all the settings that dumps begin with.
func (s *Session) Restoring() bool {
	set := func(name string) bool {
		v, err := s.GetSessionVariable(nil, name)
		return err == nil && off(v)
	}
	return setting.OfSession(s, "sql_mode") == "no_auto_value_on_zero" && set("unique_checks") && set("foreign_key_checks")
}

// off reports whether a setting that is on or off is off.
func off(value any) bool {
	v, _, err := types.Int8.Convert(context.Background(), value)
	return err == nil && v == int8(0)
}

// errWrongValue is MySQL's error for a value that a variable can't have.
const errWrongValue = 1231

// EncoderOf returns the decoder for the text of a client; nil where that is UTF-8, or read as UTF-8.
func EncoderOf(set sql.CharacterSetID) encodings.Encoder {
	switch set {
	case sql.CharacterSet_Unspecified, sql.CharacterSet_utf8mb4, sql.CharacterSet_utf8mb3,
		sql.CharacterSet_binary, sql.CharacterSet_ascii:
		return nil
	}
	return set.Encoder()
}

// checkCharacterSet refuses character sets that text can't be converted to and from.
func checkCharacterSet(variable string, value any) error {
	switch variable {
	case "character_set_client", "character_set_results", "character_set_connection":
	default:
		return nil
	}
	name, _ := value.(string)
	set, err := sql.ParseCharacterSet(name)
	if err != nil || set == sql.CharacterSet_Unspecified {
		return nil // the engine refuses or accepts it
	}
	if set.Encoder() == nil {
		return mysql.NewSQLError(mysql.ERNotSupportedYet, "42000",
			"Text is not converted to character set '%s' and back: use utf8mb4", set.Name())
	}
	if variable == "character_set_client" && (set == sql.CharacterSet_utf16 || set == sql.CharacterSet_utf32) {
		return mysql.NewSQLError(errWrongValue, "42000", "Variable '%s' can't be set to the value of '%s'",
			variable, set.Name())
	}
	return nil
}

// GetCharacterSetResults implements sql.Session. The engine fails on characters that a character set lacks, so it
// gets UTF-8, and ResultEncoder encodes that. Clients that want utf8mb3 read all of UTF-8, so they lose no character.
func (s *Session) GetCharacterSetResults() sql.CharacterSetID {
	switch set := s.BaseSession.GetCharacterSetResults(); set {
	case sql.CharacterSet_Unspecified, sql.CharacterSet_binary:
		return set
	}
	return sql.CharacterSet_utf8mb4
}

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

// joinedModes are the modes that a combined mode sets besides itself.
var joinedModes = map[string][]string{
	"ANSI": {"REAL_AS_FLOAT", "PIPES_AS_CONCAT", "ANSI_QUOTES", "IGNORE_SPACE", "ONLY_FULL_GROUP_BY"},
	"TRADITIONAL": {"STRICT_TRANS_TABLES", "STRICT_ALL_TABLES", "NO_ZERO_IN_DATE", "NO_ZERO_DATE",
		"ERROR_FOR_DIVISION_BY_ZERO", "NO_ENGINE_SUBSTITUTION"},
}

// goneModes are SQL modes that MySQL 8 no longer has and programs still set: dump programs, and clients made for
// MySQL 5.
var goneModes = []string{"NO_KEY_OPTIONS", "NO_TABLE_OPTIONS", "NO_FIELD_OPTIONS", "NO_AUTO_CREATE_USER"}

// idleModes are modes that are kept and have no effect.
var idleModes = []string{"REAL_AS_FLOAT", "NO_UNSIGNED_SUBTRACTION", "ALLOW_INVALID_DATES", "PAD_CHAR_TO_FULL_LENGTH",
	"TIME_TRUNCATE_FRACTIONAL"}

// ModesType is the type of sql_mode: a list of names, in MySQL's order.
type ModesType struct{ sql.SystemVariableType }

// Convert implements sql.Type.
func (t ModesType) Convert(_ context.Context, v any) (any, sql.ConvertInRange, error) {
	modes, refused := modesOf(v)
	if refused != nil {
		return nil, sql.OutOfRange, sql.ErrInvalidSystemVariableValue.New("sql_mode", *refused)
	}
	return modes, sql.InRange, nil
}

// modesOf returns a value of sql_mode in MySQL's order, or the part of it that is refused.
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

// warnModes warns of modes that a statement sets without effect.
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
