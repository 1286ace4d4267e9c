package session

import (
	"regexp"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/sqlbackend/functions"
)

// WarnUnknown warns that no document has a keypath, and names the nearest one.
func (s *Session) WarnUnknown(ctx *sql.Context, d *Definition, r kv.Reader, name string) error {
	if path, err := ColumnKeypath(name); err == nil && (len(path) > d.Options.Depth() || d.Excludes(path)) {
		return nil // keypaths that aren't indexed aren't known either
	}
	all, complete := d.bucketKeypaths()
	if d.Bucket != nil && !complete {
		return nil
	}
	if d.Bucket == nil {
		var err error
		if all, err = d.Collection.Dictionary().All(r); err != nil {
			return err
		}
	}
	candidates := make([]string, 0, len(all)+len(d.SQLColumns))
	for i := range d.SQLColumns {
		candidates = append(candidates, d.SQLColumns[i].Name)
	}
	s.WarnColumn(ctx, "No document of "+d.String()+" has", name, "_doc", append(candidates, all...))
	return nil
}

// elementNumber matches the number of an array's element in a name, as in a JSON path.
var elementNumber = regexp.MustCompile(`\[\d+\]`)

// WarnColumn warns of a name once in a command. whole is the column from which a JSON path reads values that no
// column has.
func (s *Session) WarnColumn(ctx *sql.Context, none, name, whole string, candidates []string) {
	key := none + "\x00" + strings.ToLower(name)
	if s.Warned[key] {
		return
	}
	if s.Warned == nil {
		s.Warned = map[string]bool{}
	}
	s.Warned[key] = true
	text := none + " the keypath `" + name + "`"
	switch near := document.Nearest(name, candidates); {
	case near == "":
	case strings.Contains(near, "[*]"): // no column leads there
		if elements := elementNumber.ReplaceAllString(name, "[*]"); elements == near {
			near = name
		}
		text += "; did you mean " + whole + "->'$." + near + "'?"
	default:
		text += "; did you mean `" + near + "`?"
	}
	functions.Warn(ctx, warningUnknownKeypath, "%s", text)
}

// warningUnknownKeypath is MySQL's number for an unknown column.
const warningUnknownKeypath = 1054
