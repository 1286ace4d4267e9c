package information

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/mysql"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/mapindex"
	"github.com/sqlfdb/sqlfdb/mapindex/sandbox"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
)

// A CREATE TABLE has the table's map indexes, beside its options, in ENGINE_ATTRIBUTE, in a comment that other
// servers ignore. So a dump of a table has them. Their rows are not in a dump; they are made again.

// TableAttribute is the content of ENGINE_ATTRIBUTE.
type TableAttribute struct {
	catalog.Options
	Maps []mapOption `json:"map_indexes,omitempty"`
}

// mapOption is a map index, or the text of a design document.
type mapOption struct {
	Name        string `json:"name,omitempty"`
	Function    string `json:"function,omitempty"`
	Interactive bool   `json:"interactive,omitempty"`
	Design      string `json:"design,omitempty"`
}

// define is the definition that an option stands for.
func (o mapOption) define() (catalog.Map, error) {
	if o.Design != "" {
		d, err := mapindex.ParseDesign(o.Design)
		return d.Map, err
	}
	if o.Name == "" {
		return catalog.Map{}, fmt.Errorf("%w: it has no name", mapindex.ErrDesign)
	}
	_, err := sandbox.Compile(o.Function)
	return catalog.Map{Name: o.Name, Interactive: o.Interactive,
		Views: []catalog.MapView{{Name: o.Name, Function: o.Function}}}, err
}

// MapOptions are the map indexes of a table. One that is being rebuilt is given as it will be afterwards.
func MapOptions(t *catalog.Table) (out []mapOption) {
	for i := range t.Maps {
		m := &t.Maps[i]
		if m.Next != nil {
			m = m.Next
		}
		if m.Design != "" {
			out = append(out, mapOption{Design: m.Design})
		} else {
			out = append(out, mapOption{Name: m.Name, Function: m.Views[0].Function, Interactive: m.Interactive})
		}
	}
	return out
}

// attributeClause is the ENGINE_ATTRIBUTE of a CREATE TABLE, in a comment; empty if there is nothing to say. MySQL
// has the option, and refuses it for its own tables; no server has the version 9.99.99.
func attributeClause(t *catalog.Table) (string, error) {
	maps := MapOptions(t)
	if len(maps) == 0 {
		if options := createOptions(t); options != "" {
			return " /*!80021 " + options + " */", nil
		}
		return "", nil
	}
	text, err := json.Marshal(TableAttribute{t.Options, maps})
	if err != nil {
		return "", fmt.Errorf("sqlbackend: the map indexes of %s: %w", t, err)
	}
	// A comment of the function's would begin or end one of SQL's. A star stands only within JSON's strings.
	plain := strings.ReplaceAll(string(text), "*", `\u002a`)
	return " /*!99999 ENGINE_ATTRIBUTE=" + quoteText(plain) + " */", nil
}

// DefineMaps adds map indexes to the definition of a table that is being created by the session's statement.
func DefineMaps(ctx *sql.Context, s *session.Session, def *catalog.Table, maps []mapOption) error {
	if len(maps) > 0 && s.Parsed.IsTemporary() {
		return mysqlerr.Unsupported("map indexes of temporary tables")
	}
	for _, o := range maps {
		m, err := o.define()
		if err == nil {
			err = CheckMapNames(&m)
		}
		if err == nil {
			_, _, err = def.PutMap(m)
		}
		if err != nil {
			return MapError(ctx, err)
		}
	}
	return nil
}

// MapError turns the error of a statement about map indexes into MySQL's.
func MapError(ctx *sql.Context, err error) error {
	switch {
	case errors.Is(err, sandbox.ErrSyntax), errors.Is(err, mapindex.ErrDesign):
		return mysql.NewSQLError(mysql.ERWrongArguments, "HY000", "%s", err)
	case errors.Is(err, mapindex.ErrUnsupported):
		return mysql.NewSQLError(mysqlerr.NotSupported, "42000", "%s", err)
	}
	return mysqlerr.Of(ctx, err)
}

// CheckMapNames refuses a map index whose tables would have names that are too long.
func CheckMapNames(m *catalog.Map) error {
	names := []string{m.Name}
	for _, v := range m.Views {
		names = append(names, v.Name)
	}
	for _, name := range names {
		if utf8.RuneCountInString(name) > session.MaxIdentifier {
			return mysql.NewSQLError(mysql.ERTooLongIdent, "42000", "Identifier name '%s' is too long", name)
		}
	}
	return nil
}
