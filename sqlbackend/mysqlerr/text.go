package mysqlerr

import (
	"errors"
	"fmt"

	"github.com/dolthub/vitess/go/mysql"
)

// ErrClosing: the server is being closed, and waits for nothing any more.
var ErrClosing = errors.New("Server shutdown in progress")

// ErrMemory ends a statement for which the server's memory has no room, because of all running statements together.
var ErrMemory error = mysql.NewSQLError(OutOfResources, "HY000",
	"Out of memory: the statements that run hold as much as the server may; see --memory")

// TooComplex begins the error of a statement that has too many terms or levels.
const TooComplex = "The statement is too complex"

// maxMessage is the longest text of an error that is sent, in bytes, as in MySQL.
const maxMessage = 512

// Shortened cuts an error's text at a character's boundary.
func Shortened(text string) string {
	if len(text) <= maxMessage {
		return text
	}
	end := maxMessage - len("…")
	for end > 0 && text[end]&0xc0 == 0x80 {
		end--
	}
	return fmt.Sprintf("%s…", text[:end])
}

const (
	LevelsText  = "Too high level of nesting for select"
	ColumnsText = "Too many columns"
	JoinedText  = "Too many tables; MySQL can only use 61 tables in a join"
	KeysText    = "Too many keys specified; max 64 keys allowed"
)

// ErrNotJSON: a SQL value has no JSON equivalent.
var ErrNotJSON = errors.New("value can't be represented as JSON")

// Outlived begins the errors of statements that have outlived their read version.
const Outlived = "The statement has outlived"

// ErrMisplacedAggregate is plain, as the errors of the parser are; its number goes by its text.
var ErrMisplacedAggregate = errors.New("Invalid use of group function")

// MisplacedWindow begins the error of a window function where there can be none.
const MisplacedWindow = "You cannot use the window function"

// MySQL's errors for texts that can't be prepared: a statement of another kind, and an empty text.
const (
	UnsupportedPrepared = 1295
	EmptyQuery          = 1065
)

// A declared column's value stands in the document as the JSON that loses
// nothing of it and reads naturally:
//
//	integers, BIT, YEAR    number            DATE       "2006-01-02"
//	DECIMAL                number, its scale TIME       "[-]hh:mm:ss[.ffffff]"
//	FLOAT, DOUBLE          shortest number   DATETIME   "2006-01-02 15:04:05[.ffffff]"
//	strings                string            BINARY     base64 string
//	ENUM, SET              string, by text   JSON       as it is

// ErrKeyValue: a value that a primary key can't be.
var ErrKeyValue = errors.New("not a value of the primary key's type")

// NamesakesText refuses an UPDATE or DELETE that names two tables alike.
const NamesakesText = "UPDATE and DELETE of a join take no two tables of one name: give one of them an alias"

// UsersText refuses the statements of users and privileges where the engine has read them.
const UsersText = "statements of users and privileges within comments"
