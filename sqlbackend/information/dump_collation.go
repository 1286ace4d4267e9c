package information

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/collation"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
	"github.com/sqlfdb/sqlfdb/sqlbackend/syntax"
)

// MariaDB 10.11 does not know the collations of MySQL 8, and a dump that names one can't be restored there. So a dump
// has them in a comment that MariaDB does not read, and the nearest of MariaDB's in one that nobody else reads.

const collations8 = "_0900_"

func nearest(name string) string {
	if strings.Contains(name, "_ai_") {
		return "utf8mb4_unicode_520_ci"
	}
	return "utf8mb4_bin"
}

// forMariaDB puts each COLLATE of a collation that MariaDB lacks into such comments.
func forMariaDB(text string) string {
	var e syntax.Edits
	tokens := statement.Tokenize(text)
	for i, t := range tokens {
		name, sign := i+1, " "
		if !t.Is(text, "COLLATE") || name >= len(tokens) {
			continue
		}
		if tokens[name].Is(text, "=") {
			name, sign = name+1, "="
		}
		if name < len(tokens) && strings.Contains(text[tokens[name].Start:tokens[name].End], collations8) {
			of := text[tokens[name].Start:tokens[name].End]
			e.Add(t.Start, tokens[name].End, "/*!80000 COLLATE"+sign+of+" */ /*M!100100 COLLATE"+sign+nearest(of)+" */")
		}
	}
	return e.Apply(text)
}

// tablesCollation is the collation of tables in a database of another one: tables have utf8mb4, and the collations
// that this server has.
func tablesCollation(ofDatabase string) string {
	switch ofDatabase {
	case "":
		return collation.Default.Name()
	case "binary":
		return ofDatabase
	}
	return collation.Nearest(ofDatabase).Name()
}

// showCreateDatabase is SHOW CREATE DATABASE: with the collation that tables of the database have. "": it is the
// engine's affair.
func showCreateDatabase(s *session.Session, ctx *sql.Context, show *ast.Show) (string, error) {
	view, err := s.Readers.Definitions()
	if err != nil {
		return "", err
	}
	name, coll, ok := view.Database(show.Database)
	if !ok {
		return "", nil
	}
	if _, err := s.Backend.Engine.Analyzer.Catalog.Database(ctx, name); err != nil { // the user may not know of it
		return "", err
	}
	coll = tablesCollation(coll)
	text := "CREATE DATABASE "
	if show.IfNotExists {
		text += "/*!32312 IF NOT EXISTS*/ "
	}
	text += sql.QuoteIdentifier(name)
	if s.Dumping.On() && strings.Contains(coll, collations8) {
		text += " /*!40100 DEFAULT CHARACTER SET utf8mb4 */ " + forMariaDB("COLLATE "+coll)
	} else {
		charset, _, _ := strings.Cut(coll, "_")
		text += " /*!40100 DEFAULT CHARACTER SET " + charset + " COLLATE " + coll + " */"
	}
	return "SELECT " + quoteText(name) + " AS `Database`, " + quoteText(text) + " AS `Create Database`", nil
}

// dumpedViews is information_schema's VIEWS as a dump sees it. The dump sets its session's character set and
// collation to the values that it reads there.
type dumpedViews struct{ sql.Table }

var _ sql.CatalogTable = dumpedViews{}

// AssignCatalog implements sql.CatalogTable.
func (v dumpedViews) AssignCatalog(all sql.Catalog) sql.Table {
	if t, ok := v.Table.(sql.CatalogTable); ok {
		v.Table = t.AssignCatalog(all)
	}
	return v
}

// PartitionRows implements sql.Table.
func (v dumpedViews) PartitionRows(ctx *sql.Context, p sql.Partition) (sql.RowIter, error) {
	made, err := v.Table.PartitionRows(ctx, p)
	if err != nil {
		return nil, err
	}
	rows, err := sql.RowIterToRows(ctx, made)
	for _, row := range rows {
		if last := len(row) - 1; strings.Contains(row[last].(string), collations8) { // COLLATION_CONNECTION
			row[last] = "utf8mb4_general_ci"
		}
	}
	return sql.RowsToRowIter(rows...), err
}
