package mysqlerr

import (
	"context"
	"errors"
	"regexp"
	"strings"
	"syscall"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/mysql"
	goerrors "gopkg.in/src-d/go-errors.v1"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/tables"
)

// MySQL's error numbers that the parser's library has no name for.
const (
	Unknown             = 1105
	TransactionTooLarge = 1197
	LockWait            = 1205
	CommitFailed        = 1180
	Interrupted         = 1317
	DiskFull            = 1021
	OutOfResources      = 1041
	WriteFailed         = 1026
	Shutdown            = 1053
	TimedOut            = 3024
	KeyTooLong          = 1071
	DataTooLong         = 1406
	OutOfRange          = 1264
	InvalidDefault      = 1067
	InvalidJSON         = 3140
	InvalidJSONPath     = 3143
	InvalidJSONType     = 3146
	JSONTooDeep         = 3157
	IncorrectString     = 1366
	IllegalValue        = 1367
	NotSupported        = 1235
	IllegalMix          = 1267
	LargerThanPacket    = 1301
	NotUniqueTable      = 1066
	FieldOverflow       = 1441
	MixOfGroup          = 1140
	WrongGroupField     = 1056
	IllegalMixes        = 1271
	WrongValue          = 1525
	CapacityExceeded    = 3170
	RecursionDepth      = 3636
	UnknownTimeZone     = 1298
	GeneratedVariables  = 3765
	DefaultVariables    = 3772
	noCheck             = 3821
)

// Joined is the error of a walk, or of closing it. It is err itself if closing has not failed: the engine does not
// look for a MySQL error within others.
func Joined(err, closing error) error {
	if closing == nil {
		return err
	}
	return errors.Join(err, closing)
}

// Of makes a MySQL error of err for the session of ctx.
func Of(ctx *sql.Context, err error) error {
	if err == nil {
		return nil
	}
	if s, ok := ctx.Session.(interface{ SQLError(error) error }); ok {
		return s.SQLError(err)
	}
	return From(err)
}

// From is the one place where an error gets its MySQL number and
// SQLSTATE. Errors that the engine made itself pass: it knows their numbers.
func From(err error) error {
	var done *mysql.SQLError
	if errors.As(err, &done) {
		return done
	}
	var engines *goerrors.Error
	if errors.As(err, &engines) {
		return engines
	}
	if errors.Is(err, syscall.ENOSPC) && !errors.Is(err, kv.ErrUnknownCommit) {
		return mysql.NewSQLError(
			DiskFull, "HY000", "Disk full: no space left on device. The store takes no more writes; what was committed "+
				"is there, and can be read. Make room, then restart the server")
	}
	for _, m := range sqlErrors {
		if errors.Is(err, m.is) {
			text := plainText(err)
			if m.remedy != "" {
				text = limitText(err, m.is) + m.remedy
			}
			return mysql.NewSQLError(m.number, m.state, "%s", text)
		}
	}
	return mysql.NewSQLError(Unknown, "HY000", "%s", plainText(err))
}

// sqlErrors maps sentinel errors to MySQL's; the first that matches counts.
var sqlErrors = []struct {
	is     error
	number int
	state  string
	remedy string
}{
	{kv.ErrConflict, mysql.ERLockDeadlock, "40001", "; try restarting transaction"},
	{kv.ErrTooOld, mysql.ERLockDeadlock, "40001", "; try restarting transaction, and read or write less in it"},
	{kv.ErrUnavailable, LockWait, "HY000", "; try restarting transaction"},
	{kv.ErrUnknownCommit, CommitFailed, "HY000", ""},
	{kv.ErrTooLarge, TransactionTooLarge, "HY000", "; write less in one transaction"},
	{kv.ErrKeyTooLarge, KeyTooLong, "42000", ""},
	{kv.ErrValueTooLarge, DataTooLong, "22001", ""},
	{ErrClosing, Shutdown, "08S01", ""},
	{kv.ErrClosed, Shutdown, "08S01", ""},
	{kv.ErrFull, DiskFull, "HY000", "; nothing was written. Reads go on, and writes once there is room"},
	{kv.ErrNoRoom, DiskFull, "HY000", ""},
	{kv.ErrReadOnly, OptionPrevents, "HY000", ""},
	{kv.ErrFailed, WriteFailed, "HY000", "; the server must be restarted"},
	{catalog.ErrNoAutoIncrement, 1467, "HY000", ""},
	{document.ErrTooDeep, JSONTooDeep, "22032", ""},
	{document.ErrTooLarge, DataTooLong, "22001", "; store large parts in documents of their own"},
	{document.ErrSyntax, InvalidJSON, "22032", ""},
	{document.ErrDuplicateKey, InvalidJSON, "22032", ""},
	{document.ErrNotObject, InvalidJSON, "22032", ""},
	{document.ErrNumber, InvalidJSON, "22032", ""},
	{document.ErrString, IncorrectString, "HY000", ""},
	{document.ErrNotObjectOnPath, InvalidJSONType, "22032", ""},
	{document.ErrKeypath, InvalidJSONPath, "42000", ""},
	{document.ErrJSONPath, InvalidJSONPath, "42000", ""},
	{ErrNotJSON, InvalidJSONType, "22032", ""},
	{ErrKeyValue, InvalidJSONType, "22032", ""},
	{tables.ErrKeyTooLong, KeyTooLong, "42000", ""},
	{tables.ErrBadKey, mysql.ERTruncatedWrongValueForField, "HY000", ""},
	{catalog.ErrDatabaseExists, mysql.ERDbCreateExists, "HY000", ""},
	{catalog.ErrNoDatabase, mysql.ERBadDb, "42000", ""},
	{catalog.ErrTableExists, mysql.ERTableExists, "42S01", ""},
	{catalog.ErrNoTable, mysql.ERNoSuchTable, "42S02", ""},
	{context.DeadlineExceeded, TimedOut, "HY000", ""},
	{context.Canceled, Interrupted, "70100", ""},
}

// limitText is the text of a sentinel error, with the size and the limit where the error
// has them. The rest of the error's text, on what was being done, is left out.
func limitText(err, is error) string {
	var size *kv.SizeError
	if errors.As(err, &size) {
		return size.Error()
	}
	var length *document.SizeError
	if errors.As(err, &length) {
		return length.Error()
	}
	if is == kv.ErrFailed { // the cause is behind it
		return plainText(err)
	}
	if is == kv.ErrFull { // how much space there is, and how much is kept free
		text := err.Error()
		return text[strings.Index(text, is.Error()):]
	}
	return is.Error()
}

// plainText is an error's text without the names of packages that it went through: they
// mean nothing to a client.
func plainText(err error) string {
	text := err.Error()
	for {
		rest, found := text, false
		for _, p := range packageNames {
			if strings.HasPrefix(text, p) {
				rest, found = text[len(p):], true
				break
			}
		}
		if !found {
			return text
		}
		text = rest
	}
}

var packageNames = []string{
	"sqlbackend: ", "tables: ", "indexes: ", "costing: ", "changes: ", "catalog: ",
	"document: ", "ordered: ", "collation: ", "keyspace: ", "overlay: ", "pebblekv: ", "bucketkv: ", "kv: ",
}

// Unsupported is the error for a feature of MySQL's that this product lacks.
func Unsupported(format string, args ...any) error {
	return mysql.NewSQLError(NotSupported, "42000", format, args...)
}

// engineErrors are errors of the engine that it sends as 1105, with MySQL's numbers for
// them. A text begins with its part, or contains it if the part begins with a space.
var engineErrors = []struct {
	part   string
	number int
	state  string
}{
	{"no matching Full-Text index found", 1191, "HY000"},
	{"syntax error", mysql.ERParseError, "42000"},
	{"unsupported JSON function", NotSupported, "42000"},
	{" of GROUPING function is not in GROUP BY", 3580, "HY000"},
	{"table already exists", mysql.ERTableExists, "42S01"},
	{"table with name", mysql.ERTableExists, "42S01"},
	{"no database selected", 1046, "3D000"},
	{"Duplicate key name", 1061, "42000"},
	{"duplicate column name", 1060, "42S21"},
	{"Column \"", 1060, "42S21"}, // … already exists
	{"unknown column", mysql.ERBadFieldError, "42S22"},
	{"column \"", mysql.ERBadFieldError, "42S22"},
	{"ambiguous column name", 1052, "23000"},
	{" doesn't appear in the group by expressions", 1055, "42000"},
	{"value count doesn't match", 1136, "21S01"},
	{"number of values does not match", 1136, "21S01"},
	{"Field '", 1364, "HY000"},
	{"string ", DataTooLong, "22001"},
	{"Check constraint", 3819, "HY000"},
	{" contains disallowed function: ", 3814, "HY000"},
	{"Invalid constraint expression, function not supported", 3814, "HY000"},
	{"Invalid constraint expression, sub-queries not supported", 3815, "HY000"},
	{" cannot refer to a user or system variable", 3816, "HY000"},
	{"Constraint \"", noCheck, "HY000"},
	{" because it would invalidate check constraint", 3959, "HY000"},
	{" cannot refer to a column defined after it", 3767, "HY000"},
	{"Incorrect usage of ", 1221, "HY000"},
	{"only datetime/timestamp may declare default values", InvalidDefault, "42000"},
	{" may not contain subqueries", 3769, "HY000"},
	{"cannot drop column ", 3766, "HY000"},
	{"SAVEPOINT ", 1305, "42000"},
	{" used in key specification without a key length", 1170, "42000"},
	{" supports indexing only via generated columns", 3152, "42000"},
	{"Invalid JSON text", InvalidJSON, "22032"},
	{"function:", 1305, "42000"},
	{"Unknown system variable", 1193, "HY000"},
	{"Unknown collation", 1273, "HY000"},
	{"Unknown character set", 1115, "42000"},
	{"Variable '", 1231, "42000"},
	{"BIGINT value is out of range", 1690, "22003"},
	{"incompatible type for default value", InvalidDefault, "42000"},
	{"Invalid default value for ", InvalidDefault, "42000"},
	{" out of range for ", OutOfRange, "22003"},
	{"Incorrect datetime value", 1292, "22007"},
	{"Incorrect time value", 1292, "22007"},
	{"a variable can be assigned in", NotSupported, "42000"},
	{"a statement that assigns variables within expressions", NotSupported, "42000"},
	{"Incorrect DATE value: ", WrongValue, "HY000"},
	{"Incorrect TIME value: ", WrongValue, "HY000"},
	{"Incorrect DATETIME value: ", WrongValue, "HY000"},
	{"duplicate entry: ", 1291, "HY000"}, // of an ENUM or a SET
	{"values cannot contain a comma", 1367, "22007"},
	{" is not valid for this Enum", 1265, "01000"},
	{" is not valid for this Set", 1265, "01000"},
	{" is not valid for this set", 1265, "01000"},
	{" was not found in the set", 1265, "01000"},
	{" is not a valid Time", 1292, "22007"},
	{" is not a valid Year", OutOfRange, "22003"},
	{" is beyond the maximum value that can be held by ", DataTooLong, "22001"},
	{"Out of range value for column of Decimal type", OutOfRange, "22003"},
	{"TIME only supports a length from 0 to 6", 1426, "42000"}, // too big precision
	{"COLLATION '", 1253, "42000"},
	{"incorrect prefix key '", 1089, "HY000"},
	{"key part '", 1391, "HY000"}, // … length cannot be 0
	{"number has no digits", 1366, "HY000"},
	{"expected end of string, found ", 1366, "HY000"},
	{"there can be only one auto_increment column", mysql.ERWrongAutoKey, "42000"},
	{"error: ", 1366, "HY000"},
	{"the view ", 1051, "42S02"},
	{"table doesn't support", 1288, "HY000"},
	{"The target table ", 1288, "HY000"},
	{"the table does not support foreign key", NotSupported, "42000"},
	{"The value specified for generated column", 3105, "HY000"},
	{"Foreign key cascade delete/update", 3008, "HY000"},
	{"table \"", mysql.ERBadFieldError, "42S22"},
	{"Database ", 1290, "HY000"},
	{"unknown prepared statement", 1243, "HY000"},
	{"Unknown prepared statement", 1243, "HY000"},
	{"max nesting level", mysql.ERParseError, "42000"},
	{TooComplex, 1436, "HY000"},
	{LevelsText, 1473, "HY000"},
	{JoinedText, 1116, "HY000"},
	{KeysText, 1069, "42000"},
	{ColumnsText, 1117, "HY000"},
	{NamesakesText, NotSupported, "42000"},
	{UsersText, NotSupported, "42000"},
	{"invalid identifier", 1059, "42000"},
	{"function '", 1582, "42000"},
	{"invalid string for charset", 1300, "HY000"},
	{"bind variable not provided", 1210, "HY000"},
	{"duplicate tables specified", NotUniqueTable, "42000"},
	{"Not unique table/alias: ", NotUniqueTable, "42000"},
	{"number of values is too large", 1097, "HY000"},   // of a SET
	{"tuple should contain ", 1353, "HY000"},           // the columns of a view
	{"unbound variable ", mysql.ERParseError, "42000"}, // a parameter in a text that is not prepared
	{" Code: INVALID_ARGUMENT", mysql.ERParseError, "42000"},
	{"stored procedure \"", 1305, "42000"}, // … does not exist
	{"trigger \"", 1360, "HY000"},          // … does not exist
	{" is not VIEW", 1347, "HY000"},
	{"Result consisted of more than one row", 1172, "42000"},
	{"unsupported syntax: ", NotSupported, "42000"},
	{ErrMisplacedAggregate.Error(), 1111, "HY000"},
	{MisplacedWindow, 3593, "HY000"},
	{" doesn't support events", NotSupported, "42000"},
	{"database does not support temporary tables", NotSupported, "42000"},
	{"no replication controller available", NotSupported, "42000"},
	{"empty statement", EmptyQuery, "42000"},
	{" not supported", NotSupported, "42000"},
}

// engineStates are the SQLSTATEs of numbers that the engine sends without one.
var engineStates = map[int]string{
	mysql.ERDupEntry:       "23000",
	mysql.ERBadNullError:   "23000",
	mysql.ERNoSuchTable:    "42S02",
	mysql.ERBadDb:          "42000",
	mysql.ERBadFieldError:  "42S22",
	mysql.ERParseError:     "42000",
	mysql.ERTableExists:    "42S01",
	1792:                   "25006",
	1072:                   "42000",
	1451:                   "23000",
	1452:                   "23000",
	mysql.ERSubqueryNo1Row: "21000",
	mysql.EROperandColumns: "21000",
	mysql.ERMultiplePriKey: "42000",
	mysql.ERWrongAutoKey:   "42000",
}

// illegalLiteral finds in the text of an engine's error the literal that the engine can't read, and its kind.
func illegalLiteral(text string) (kind, literal string, ok bool) {
	const shown = 100 // bytes
	for _, m := range []struct{ before, kind, behind string }{
		{`strconv.ParseFloat: parsing "`, "double", `"`},
		{`strconv.ParseUint: parsing "`, "bit", `"`},
		{"could not convert ", "decimal", " "},
	} {
		if rest, found := strings.CutPrefix(text, m.before); found {
			literal, _, _ = strings.Cut(rest, m.behind)
			return m.kind, literal[:min(len(literal), shown)], true
		}
	}
	return "", "", false
}

// FinishError gives an error on its way to the client the number and SQLSTATE
// that MySQL sends, where the engine knew less.
func FinishError(err error) error {
	if err == nil {
		return nil
	}
	var e *mysql.SQLError
	if !errors.As(err, &e) {
		mapped := From(err)
		if !errors.As(mapped, &e) {
			e = sql.CastSQLError(mapped)
		}
	}
	number, state, text := e.Num, e.State, e.Message
	if number == Unknown {
		for _, m := range sqlErrors {
			// An error of ours that went through the engine as text.
			if strings.Contains(text, m.is.Error()) {
				number, state = m.number, m.state
				break
			}
		}
	}
	if number == Unknown {
		if kind, literal, ok := illegalLiteral(text); ok {
			number, state, text = IllegalValue, "22007", "Illegal "+kind+" '"+literal+"' value found during parsing"
		}
	}
	if number == Unknown {
		for _, x := range engineErrors {
			if strings.HasPrefix(text, x.part) || x.part[0] == ' ' && strings.Contains(text, x.part) {
				number, state = x.number, x.state
				break
			}
		}
	}
	if s, ok := engineStates[number]; ok && (state == "" || state == mysql.SSUnknownSQLState) {
		state = s
	}
	switch number {
	case Interrupted:
		text = "Query execution was interrupted"
	case TimedOut:
		if !strings.HasPrefix(text, Outlived) {
			text = "Query execution was interrupted, maximum statement execution time exceeded"
		}
	}
	text = OwnText(number, text)
	return mysql.NewSQLError(number, state, "%s", Shortened(withoutPlan(text)))
}

var (
	noColumn     = regexp.MustCompile(`^table "(?:Table\\n └─ name: )?(.*?)(?:\\n)?" does not have column "(.*)"$`)
	columnExists = regexp.MustCompile(`^Column "(.*)" already exists$`)
)

// OwnText is MySQL's text of an error, where the engine's text has it within its own.
func OwnText(number int, text string) string {
	switch number {
	case mysql.ERMultiplePriKey:
		return "Multiple primary key defined"
	case mysql.ERWrongAutoKey:
		return "Incorrect table definition; there can be only one auto column and it must be defined as a key"
	case mysql.ERBadFieldError:
		if m := noColumn.FindStringSubmatch(text); m != nil {
			return "Unknown column '" + m[2] + "' in '" + m[1] + "'"
		}
	case 1060:
		if m := columnExists.FindStringSubmatch(text); m != nil {
			return "Duplicate column name '" + m[1] + "'"
		}
	case 1072:
		if rest, ok := strings.CutPrefix(text, "key column "); ok {
			return "Key column " + rest
		}
	case noCheck:
		if name, ok := strings.CutPrefix(text, "Constraint "); ok {
			return "Check constraint '" + strings.Trim(strings.TrimSuffix(name, " does not exist"), `"`) +
				"' is not found in the table."
		}
	case NotUniqueTable:
		if name, ok := strings.CutPrefix(text, "Not unique table/alias: "); ok && !strings.HasPrefix(name, "'") {
			return "Not unique table/alias: '" + name + "'"
		}
	case mysql.ERDupEntry:
		if i := strings.Index(text, "Duplicate entry "); i > 0 {
			return text[i:]
		}
	case mysql.ErNoReferencedRow2, mysql.ERRowIsReferenced2:
		if i := strings.Index(text, "Cannot "); i > 0 {
			return strings.TrimSuffix(text[i:], "`")
		}
	}
	return text
}

// FinishInterrupted replaces the error of a command that was cut short by its cause: a
// KILL, the end of its time, or the server's closing. Other errors stay.
func FinishInterrupted(err, cause error) error {
	var e *mysql.SQLError
	if cause == nil || !errors.As(err, &e) || e.Num != Interrupted && e.Num != TimedOut {
		return err
	}
	return FinishError(cause)
}

// withoutPlan takes the plan out of the engine's text for an unknown column of
// a table that is altered: it prints the table as a tree.
func withoutPlan(text string) string {
	rest, ok := strings.CutPrefix(text, `table "Table\n └─ name: `)
	if !ok {
		return text
	}
	table, rest, ok := strings.Cut(rest, `\n" does not have column `)
	if !ok {
		return text
	}
	return `table "` + table + `" does not have column ` + rest
}
