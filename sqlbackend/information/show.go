package information

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/mysql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/sqlbackend/buckettable"
	"github.com/sqlfdb/sqlfdb/sqlbackend/functions"
	"github.com/sqlfdb/sqlfdb/sqlbackend/privilege"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/systemschema"
)

// ShowAsSelect replaces SHOW statements by a SELECT, as MySQL 8 itself does, where the
// engine refuses them or lacks the facts to answer. It returns any other statement as it
// is.
func ShowAsSelect(s *session.Session, ctx *sql.Context, parser sql.Parser, stmt ast.Statement) (ast.Statement, error) {
	var text, condition string
	var err error
	switch show := stmt.(type) {
	case *ast.ShowGrants:
		text, err = showGrants(s, show)
	case *ast.Show:
		condition = filterOf(show)
		switch strings.ToLower(show.Type) {
		case "table status":
			if text, err = showTableStatus(s, ctx, show.Database); show.Filter != nil && show.Filter.Like != "" {
				condition = "`Name` LIKE " + quoteText(show.Filter.Like)
			}
		case "events":
			database := show.Database
			if o := show.ShowTablesOpt; o != nil {
				database, condition = o.DbName, shownBy("Name", o.Filter)
			}
			text, err = showEvents(s, ctx, database)
		case "columns", "fields":
			text, err = showColumns(s, ctx, show)
			if o := show.ShowTablesOpt; text != "" && o != nil {
				condition = shownBy("Field", o.Filter)
			}
		case "create database", "create schema":
			text, err = showCreateDatabase(s, ctx, show)
		case "create table":
			text, err = showCreateTable(s, ctx, show)
		case "index":
			text, err = showIndex(s, ctx, show)
		case "variables":
			text = showVariables(show)
			if show.Filter != nil && show.Filter.Like != "" {
				condition = shownBy("Variable_name", show.Filter)
			}
		case "errors", "warnings":
			s.Diagnostics.Recalled = true
			s.Diagnostics.Listing = strings.EqualFold(show.Type, "warnings") && !show.CountStar
			text = showDiagnostics(s, show)
		}
	}
	if err != nil || text == "" {
		return stmt, err
	}
	if condition != "" {
		text = "SELECT * FROM (" + text + ") AS shown WHERE " + condition
	}
	query, err := parser.ParseSimple(text)
	if err != nil {
		return stmt, fmt.Errorf("sqlbackend: %s: %w", text, err)
	}
	return query, nil
}

// ShownLike names the first column as MySQL does, by the pattern that the names shown are like.
func ShownLike(stmt ast.Statement, schema sql.Schema) sql.Schema {
	show, ok := stmt.(*ast.Show)
	if !ok || len(schema) == 0 {
		return schema
	}
	var like string
	switch strings.ToLower(show.Type) {
	case "tables":
		if o := show.ShowTablesOpt; o != nil && o.Filter != nil {
			like = o.Filter.Like
		}
	case "databases", "schemas":
		if show.Filter != nil {
			like = show.Filter.Like
		}
	}
	if like == "" {
		return schema
	}
	schema = slices.Clone(schema)
	first := *schema[0]
	first.Name += " (" + like + ")"
	schema[0] = &first
	return schema
}

// filterOf is the WHERE of a SHOW as text.
func filterOf(show *ast.Show) string {
	switch {
	case show.Filter != nil && show.Filter.Filter != nil:
		return ast.String(show.Filter.Filter)
	case show.ShowIndexFilterOpt != nil:
		return ast.String(show.ShowIndexFilterOpt)
	}
	return ""
}

// shownBy is the LIKE or WHERE of a SHOW as a condition on its columns, of which LIKE is about one; "" without either.
func shownBy(column string, filter *ast.ShowFilter) string {
	switch {
	case filter == nil:
		return ""
	case filter.Filter != nil:
		return ast.String(filter.Filter)
	}
	return "`" + column + "` LIKE " + quoteText(filter.Like)
}

// databaseOf is the database that a SHOW is about.
func databaseOf(s *session.Session, ctx *sql.Context, name string) (string, error) {
	if name == "" {
		name = ctx.GetCurrentDatabase()
	}
	if name == "" {
		return "", sql.ErrNoDatabaseSelected.New()
	}
	db, err := s.Backend.Engine.Analyzer.Catalog.Database(ctx, name)
	if err != nil {
		return "", err
	}
	return db.Name(), nil
}

// showVariables is SHOW VARIABLES.
func showVariables(show *ast.Show) string {
	table := "session_variables"
	if strings.EqualFold(show.Scope, "global") {
		table = "global_variables"
	}
	return "SELECT VARIABLE_NAME AS `Variable_name`, VARIABLE_VALUE AS `Value` FROM performance_schema." + table
}

// showTableStatus is SHOW TABLE STATUS.
func showTableStatus(s *session.Session, ctx *sql.Context, database string) (string, error) {
	database, err := databaseOf(s, ctx, database)
	return "SELECT table_name AS `Name`, engine AS `Engine`, version AS `Version`, row_format AS `Row_format`, " +
		"table_rows AS `Rows`, " +
		"avg_row_length AS `Avg_row_length`, data_length AS `Data_length`, max_data_length AS `Max_data_length`, " +
		"index_length AS `Index_length`, data_free AS `Data_free`, auto_increment AS `Auto_increment`, " +
		"create_time AS `Create_time`, " +
		"update_time AS `Update_time`, check_time AS `Check_time`, table_collation AS `Collation`, checksum AS " +
		"`Checksum`, " +
		"create_options AS `Create_options`, table_comment AS `Comment` FROM information_schema.tables WHERE " +
		"table_schema = " +
		quoteText(database), err
}

// showEvents is SHOW EVENTS.
func showEvents(s *session.Session, ctx *sql.Context, database string) (string, error) {
	database, err := databaseOf(s, ctx, database)
	return "SELECT event_schema AS `Db`, event_name AS `Name`, definer AS `Definer`, time_zone AS `Time zone`, " +
		"event_type AS `Type`, " +
		"execute_at AS `Execute at`, interval_value AS `Interval value`, interval_field AS `Interval field`, " +
		"starts AS `Starts`, ends AS `Ends`, " +
		"status AS `Status`, originator AS `Originator`, character_set_client, collation_connection, " +
		"database_collation AS `Database Collation` FROM information_schema.events WHERE event_schema = " +
		quoteText(database), err
}

// showIndex is SHOW INDEX.
func showIndex(s *session.Session, ctx *sql.Context, show *ast.Show) (string, error) {
	database := show.Database
	if database == "" {
		database = show.Table.DbQualifier.String()
	}
	database, err := databaseOf(s, ctx, database)
	if err != nil {
		return "", err
	}
	table := show.Table.Name.String()
	if _, _, err := s.Backend.Engine.Analyzer.Catalog.Table(ctx, database, table); err != nil {
		if db, failed := s.Backend.Engine.Analyzer.Catalog.Database(ctx, database); failed == nil {
			if v, ok := db.(sql.ViewDatabase); ok {
				if _, there, failed := v.GetViewDefinition(ctx, table); failed == nil && there {
					err = nil // a view has no keys
				}
			}
		}
		if err != nil {
			return "", err
		}
	}
	return "SELECT table_name AS `Table`, non_unique AS `Non_unique`, index_name AS `Key_name`, seq_in_index " +
		"AS `Seq_in_index`, " +
		"column_name AS `Column_name`, collation AS `Collation`, cardinality AS `Cardinality`, sub_part AS " +
		"`Sub_part`, packed AS `Packed`, " +
		"nullable AS `Null`, index_type AS `Index_type`, comment AS `Comment`, index_comment AS `Index_comment`, " +
		"is_visible AS `Visible`, " +
		"expression AS `Expression` FROM information_schema." + shownIn(s, database, table, "statistics") +
		" WHERE table_schema = " + quoteText(database) +
		" AND table_name = " + quoteText(table), nil
}

// shownIn is the name of the information_schema table that describes a table: another one for a temporary table.
func shownIn(s *session.Session, database, table, name string) string {
	if _, ok := s.Own.Now.Table(database, table); ok {
		return temporaryPrefix + name
	}
	return name
}

// showCreateTable is SHOW CREATE TABLE of a table that holds documents; of a view
// it is the engine's own.
func showCreateTable(s *session.Session, ctx *sql.Context, show *ast.Show) (string, error) {
	t, err := ShownTable(s, ctx, show.Table.DbQualifier.String(), show.Table.Name.String())
	if t == nil || err != nil {
		return "", err
	}
	def, err := s.Backend.Definitions.Of(t)
	if err != nil {
		return "", err
	}
	r, err := s.Readers.Plan()
	if err != nil {
		return "", err
	}
	text, err := createStatement(s.Backend, def, r, s.Dumping.On())
	return "SELECT " + quoteText(t.Name) + " AS `Table`, " + quoteText(text) + " AS `Create Table`", err
}

// ShownTable finds the table that a SHOW is about; nil if it holds no documents:
// such a statement is the engine's affair.
func ShownTable(s *session.Session, ctx *sql.Context, database, name string) (*catalog.Table, error) {
	if database == "" {
		database = ctx.GetCurrentDatabase()
	}
	view, err := s.Readers.Definitions()
	if err != nil {
		return nil, err
	}
	t, ok := view.Table(database, name)
	if !ok {
		return nil, nil
	}
	if t.Bucket != nil {
		if err := openShown(s, ctx, t); err != nil {
			return nil, err
		}
	}
	// The engine's catalog checks whether the user may know of the table.
	if _, _, err := s.Backend.Engine.Analyzer.Catalog.Table(ctx, database, name); err != nil {
		return nil, err
	}
	return t, nil
}

// showColumns is SHOW COLUMNS, and DESCRIBE.
func showColumns(s *session.Session, ctx *sql.Context, show *ast.Show) (string, error) {
	database := show.Table.DbQualifier.String()
	if o := show.ShowTablesOpt; o != nil && o.DbName != "" {
		database = o.DbName
	}
	name := show.Table.Name.String()
	t, err := ShownTable(s, ctx, database, name)
	if err != nil {
		return "", err
	}
	if t != nil {
		database, name = t.Database, t.Name
	} else if database = systemschema.Is(cmp.Or(database, ctx.GetCurrentDatabase())); systemschema.Find(database,
		name) == nil {
		return "", nil
	}
	collation, rest := "", ""
	if show.Full {
		collation, rest = "collation_name AS `Collation`, ", ", privileges AS `Privileges`, column_comment AS `Comment`"
	}
	return "SELECT column_name AS `Field`, column_type AS `Type`, " + collation +
		"is_nullable AS `Null`, column_key AS `Key`, " +
		"column_default AS `Default`, extra AS `Extra`" + rest + " FROM information_schema." + shownIn(s, database, name,
		"columns") + " WHERE table_schema = " +
		quoteText(database) + " AND table_name = " + quoteText(name) + " ORDER BY ordinal_position", nil
}

// showDiagnostics is SHOW ERRORS, and the COUNT(*) of it and of SHOW WARNINGS.
func showDiagnostics(s *session.Session, show *ast.Show) string {
	errors := strings.EqualFold(show.Type, "errors")
	switch {
	case show.CountStar && errors:
		return "SELECT @@error_count AS `@@session.error_count`"
	case show.CountStar:
		return "SELECT @@warning_count AS `@@session.warning_count`"
	case !errors:
		return "" // the engine's own
	}
	text := "SELECT '' AS `Level`, 0 AS `Code`, '' AS `Message` FROM dual WHERE FALSE"
	if f := s.Diagnostics.Earlier; f != nil {
		text = fmt.Sprintf("SELECT 'Error' AS `Level`, %d AS `Code`, %s AS `Message`", f.Code, quoteText(f.Message))
	}
	if show.Limit != nil {
		text += ast.String(show.Limit)
	}
	return text
}

var (
	_ ast.Injectable    = session.FailingStatement{}
	_ sql.ExecSourceRel = session.FailingStatement{}
)

// openShown opens a table in a bucket that a SHOW is about. One that can't be reached is shown as it was declared.
func openShown(s *session.Session, ctx *sql.Context, def *catalog.Table) error {
	full, err := s.Backend.Definitions.Of(def)
	if err != nil {
		return err
	}
	if _, err := full.Bucket.Open(ctx); err != nil {
		if ctx.Err() != nil {
			return buckettable.Error(ctx, err)
		}
		functions.Warn(ctx, mysql.ERUnknownError, "Of %s.%s only what was declared is shown: %s", def.Database, def.Name,
			err)
	}
	return nil
}

// showGrants is SHOW GRANTS, by a SELECT.
func showGrants(s *session.Session, show *ast.ShowGrants) (string, error) {
	shown, err := privilege.GrantsShown(s, show)
	if err != nil {
		return "", err
	}
	title := strings.ReplaceAll(shown.Title, "`", "``")
	var text []string
	for _, g := range shown.Lines {
		text = append(text, "SELECT "+quoteText(g)+" AS `"+title+"`")
	}
	return strings.Join(text, " UNION ALL "), nil
}
