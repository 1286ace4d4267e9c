package ddl

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/syntax"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
	"github.com/sqlfdb/sqlfdb/tables"
)

// The engine does not know foreign keys: they are declared here, and the editor enforces them
// (foreign_key_writes.go).

// MySQL's error numbers for foreign keys.
const (
	errForeignKeyReference  = 1239
	errForeignKeyIndex      = 1822
	errForeignKeyNoTable    = 1824
	errForeignKeyDuplicate  = 1826
	errForeignKeyDrop       = 1828
	errForeignKeyDropParent = 1829
	errForeignKeySetNull    = 1830
	errForeignKeyChange     = 1832
	errForeignKeyChangeIts  = 1833
	errForeignKeyNeedsIndex = 1553
	errForeignKeyNoColumn   = 3734

	errForeignKeyReferenced = 3730
)

// TakeForeignKeys moves the foreign keys out of a CREATE TABLE, for CreateTable. The engine would add them after it
// has created the table, and leave the table where one is refused.
func TakeForeignKeys(ddl *ast.DDL) {
	if ddl.TableSpec == nil || ddl.Action != ast.CreateStr {
		return
	}
	var keys []catalog.ForeignKey
	taken := func(c *ast.ConstraintDefinition) bool {
		details, ok := c.Details.(*ast.ForeignKeyDefinition)
		if ok {
			keys = append(keys, catalog.ForeignKey{
				Name:           c.Name,
				Columns:        namesOf(details.Source),
				ParentDatabase: details.ReferencedTable.DbQualifier.String(),
				ParentTable:    details.ReferencedTable.Name.String(),
				ParentColumns:  namesOf(details.ReferencedColumns),
				OnUpdate:       foreignKeyActions[details.OnUpdate],
				OnDelete:       foreignKeyActions[details.OnDelete],
			})
		}
		return ok
	}
	ddl.TableSpec.Constraints = slices.DeleteFunc(slices.Clone(ddl.TableSpec.Constraints), taken)
	syntax.KeepExtracted(ddl, extractedForeignKeys, keys)
}

var foreignKeyActions = map[ast.ReferenceAction]string{ast.Restrict: "RESTRICT", ast.Cascade: catalog.ActionCascade,
	ast.SetNull: catalog.ActionSetNull, ast.NoAction: "NO ACTION", ast.SetDefault: "SET DEFAULT"}

func namesOf(columns ast.Columns) []string {
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = c.String()
	}
	return names
}

// declareForeignKeys gives a table that is being created the foreign keys of its statement, and the indexes that they
// need if the statement has none.
func declareForeignKeys(s *session.Session, ctx *sql.Context, view *catalog.View, def *catalog.Table,
	keys []catalog.ForeignKey) error {
	whole := def.Clone() // with the indexes that the engine adds later
	if ddl, ok := s.Parsed.Statement().(*ast.DDL); ok && ddl.TableSpec != nil {
		for _, x := range ddl.TableSpec.Indexes {
			idx := catalog.Index{Name: x.Info.Name.String(), Unique: x.Info.Unique || x.Info.Primary}
			for _, c := range x.Columns {
				idx.Columns, idx.Lengths = append(idx.Columns, c.Column.String()), append(idx.Lengths, syntax.PrefixLength(c))
			}
			whole.Indexes = append(whole.Indexes, idx)
		}
	}
	for _, f := range keys {
		if f.ParentDatabase == "" {
			f.ParentDatabase = def.Database
		}
		f, err := settleForeignKey(ctx, view, whole, f)
		if err != nil {
			return err
		}
		if name, wants := foreignKeyIndex(whole, f); wants {
			idx := catalog.Index{Name: name, Columns: f.Columns, Bytes: true}
			whole.Indexes = append(whole.Indexes, idx)
			addIndex(def, idx)
			def.Indexes[len(def.Indexes)-1].Building = 0 // there are no documents
		}
		whole.ForeignKeys = append(whole.ForeignKeys, f)
	}
	def.ForeignKeys = whole.ForeignKeys
	return nil
}

// settleForeignKey proves that a table can have a foreign key, and sets its name and the spelling of its columns. If
// the parent does not exist yet, later writes check it.
func settleForeignKey(ctx *sql.Context, view *catalog.View, def *catalog.Table,
	f catalog.ForeignKey) (catalog.ForeignKey, error) {
	if f.Name == "" {
		last := 0
		for i := range def.ForeignKeys {
			if number, made := strings.CutPrefix(def.ForeignKeys[i].Name, def.Name+"_ibfk_"); made {
				n, _ := strconv.Atoi(number)
				last = max(last, n)
			}
		}
		f.Name = def.Name + "_ibfk_" + strconv.Itoa(last+1)
	}
	if hasForeignKey(def, f.Name) {
		return f, table.ForeignKeyError(errForeignKeyDuplicate, "Duplicate foreign key constraint name '%s'", f.Name)
	}
	if f.OnUpdate == "SET DEFAULT" || f.OnDelete == "SET DEFAULT" {
		return f, mysqlerr.Unsupported("foreign key %s: SET DEFAULT is not supported", f.Name)
	}
	if len(f.Columns) != len(f.ParentColumns) {
		return f, mysql.NewSQLError(errForeignKeyReference, "42000",
			"Incorrect foreign key definition for '%s': Key reference and table reference don't match", f.Name)
	}
	f.Columns, f.ParentColumns = slices.Clone(f.Columns), slices.Clone(f.ParentColumns)
	for i, name := range f.Columns {
		place, ok := def.Column(name)
		switch {
		case !ok:
			return f, mysql.NewSQLError(1072, "42000", "Key column '%s' doesn't exist in table", name)
		case slices.ContainsFunc(f.Columns[:i], func(n string) bool { return strings.EqualFold(n, name) }):
			return f, mysql.NewSQLError(1060, "42S21", "Duplicate column name '%s'", name)
		}
		c := &def.Columns[place]
		if c.Virtual || c.Generated != "" && (f.OnUpdate == catalog.ActionCascade || f.OnUpdate == catalog.ActionSetNull ||
			f.OnDelete == catalog.ActionSetNull) {
			return f, mysqlerr.Unsupported("foreign key %s: generated column %s can't be set", f.Name, c.Name)
		}
		if !c.Nullable && (f.OnUpdate == catalog.ActionSetNull || f.OnDelete == catalog.ActionSetNull) {
			return f, table.ForeignKeyError(errForeignKeySetNull,
				"Column '%s' cannot be NOT NULL: needed in a foreign key constraint '%s' SET NULL", c.Name, f.Name)
		}
		f.Columns[i] = c.Name
	}
	parent, ok := view.Table(f.ParentDatabase, f.ParentTable)
	if strings.EqualFold(f.ParentDatabase, def.Database) && strings.EqualFold(f.ParentTable, def.Name) {
		parent, ok = def, true
	}
	if !ok {
		if table.ChecksForeignKeys(ctx) {
			return f, table.ForeignKeyError(errForeignKeyNoTable, "Failed to open the referenced table '%s'", f.ParentTable)
		}
		return f, nil
	}
	if parent.Bucket != nil {
		return f, session.InBucket(parent, "keys that others may refer to")
	}
	f.ParentDatabase, f.ParentTable = parent.Database, parent.Name
	for i, name := range f.ParentColumns {
		place, ok := parent.Column(name)
		if !ok {
			return f, table.ForeignKeyError(errForeignKeyNoColumn, "Failed to add the foreign key constraint. "+
				"Missing column '%s' for constraint '%s' in the referenced table '%s'", name, f.Name, parent.Name)
		}
		f.ParentColumns[i] = parent.Columns[place].Name
		own, _ := def.Column(f.Columns[i])
		if err := table.SimilarColumns(def, own, parent, place, f.Name); err != nil {
			return f, err
		}
	}
	if !parent.HasKey(f.ParentColumns) {
		return f, table.ForeignKeyError(errForeignKeyIndex, "Failed to add the foreign key constraint. "+
			"Missing index for constraint '%s' in the referenced table '%s'", f.Name, parent.Name)
	}
	return f, nil
}

func hasForeignKey(def *catalog.Table, name string) bool {
	return findForeignKey(def, name) >= 0
}

func findForeignKey(def *catalog.Table, name string) int {
	return slices.IndexFunc(def.ForeignKeys, func(f catalog.ForeignKey) bool { return strings.EqualFold(f.Name, name) })
}

// foreignKeyIndex returns the name of the index that a table gets with a foreign key, unless an index begins with its
// columns already.
func foreignKeyIndex(def *catalog.Table, f catalog.ForeignKey) (name string, wants bool) {
	if def.HasKey(f.Columns) {
		return "", false
	}
	name = f.Name
	if strings.HasPrefix(f.Name, def.Name+"_ibfk_") {
		name = f.Columns[0]
		for n := 2; table.FindIndex(def, name) >= 0; n++ {
			name = f.Columns[0] + "_" + strconv.Itoa(n)
		}
	}
	return name, true
}

// foreignKeyTable finds the table of an ALTER TABLE that adds or drops a foreign key.
func foreignKeyTable(ctx *sql.Context, p sql.DatabaseProvider, database, name string) (*table.Table, error) {
	db, err := p.Database(ctx, database)
	if err != nil {
		return nil, err
	}
	found, ok, err := db.GetTableInsensitive(ctx, name)
	if err != nil {
		return nil, err
	}
	t, own := found.(*table.Table)
	if !ok || !own {
		return nil, sql.ErrTableNotFound.New(name)
	}
	return t, nil
}

// ForeignKeyAdded runs ALTER TABLE … ADD FOREIGN KEY: all present rows must have their parents.
func ForeignKeyAdded(ctx *sql.Context, n *plan.CreateForeignKey) (sql.RowIter, error) {
	t, err := foreignKeyTable(ctx, n.DbProvider, n.FkDef.Database, n.FkDef.Table)
	if err == nil {
		err = addForeignKey(t, ctx, n.FkDef)
	}
	if err != nil {
		return nil, mysqlerr.Of(ctx, err)
	}
	return sql.RowsToRowIter(sql.NewRow(types.NewOkResult(0))), nil
}

// ForeignKeyDropped runs ALTER TABLE … DROP FOREIGN KEY.
func ForeignKeyDropped(ctx *sql.Context, n *plan.DropForeignKey) (sql.RowIter, error) {
	t, err := foreignKeyTable(ctx, n.DbProvider, n.Database(), n.Table)
	if err != nil {
		return nil, err
	}
	err = session.ChangeDefinitions(ctx, func(c *catalog.Change) error {
		_, err := c.AlterTable(t.Def.Database, t.Def.Name, func(def *catalog.Table) error {
			i := findForeignKey(def, n.Name)
			if i < 0 {
				return mysql.NewSQLError(errCantDrop, "42000", "Can't DROP '%s'; check that column/key exists", n.Name)
			}
			def.ForeignKeys = slices.Delete(def.ForeignKeys, i, i+1)
			return nil
		})
		return err
	})
	if err == nil {
		err = reload(t, ctx)
	}
	if err != nil {
		return nil, mysqlerr.Of(ctx, err)
	}
	return sql.RowsToRowIter(sql.NewRow(types.NewOkResult(0))), nil
}

func addForeignKey(t *table.Table, ctx *sql.Context, f *sql.ForeignKeyConstraint) error {
	action := func(a sql.ForeignKeyReferentialAction) string {
		if a == sql.ForeignKeyReferentialAction_DefaultAction {
			return ""
		}
		return string(a)
	}
	added := catalog.ForeignKey{Name: f.Name, Columns: f.Columns, ParentDatabase: f.ParentDatabase,
		ParentTable: f.ParentTable, ParentColumns: f.ParentColumns,
		OnUpdate: action(f.OnUpdate), OnDelete: action(f.OnDelete)}
	var index string
	wants := false
	if t.Def.Temporary() {
		return mysql.NewSQLError(session.ErrCannotAddForeign, "HY000", "Cannot add foreign key constraint")
	}
	err := session.ChangeDefinitions(ctx, func(c *catalog.Change) error {
		_, err := c.AlterTable(t.Def.Database, t.Def.Name, func(def *catalog.Table) (err error) {
			if added, err = settleForeignKey(ctx, c.View().Stored(), def, added); err != nil {
				return err
			}
			if index, wants = foreignKeyIndex(def, added); wants && table.FindIndex(def, index) >= 0 {
				return sql.ErrDuplicateKey.New(index)
			}
			def.ForeignKeys = append(def.ForeignKeys, added)
			return nil
		})
		if err == nil && table.ChecksForeignKeys(ctx) {
			err = proveForeignKey(t, ctx, c, added.Name)
		}
		return err
	})
	if err == nil {
		err = reload(t, ctx)
	}
	if err != nil || !wants {
		return err
	}
	idx := sql.IndexDef{Name: index, Constraint: sql.IndexConstraint_None, Storage: sql.IndexUsing_Default}
	for _, name := range added.Columns {
		idx.Columns = append(idx.Columns, sql.IndexColumn{Name: name})
	}
	return t.CreateIndex(ctx, idx)
}

// proveForeignKey fails when a row of a table has no parent by a foreign key that is added.
func proveForeignKey(t *table.Table, ctx *sql.Context, c *catalog.Change, name string) error {
	w, err := session.WritesOf(ctx)
	if err != nil {
		return err
	}
	def, ok := c.View().Table(t.Def.Database, t.Def.Name)
	if !ok {
		return fmt.Errorf("sqlbackend: %s: %w", t.Def, catalog.ErrNoTable)
	}
	child, err := session.NewDefinition(t.Session.Backend.Catalog, def)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(def.ForeignKeys, func(f catalog.ForeignKey) bool { return f.Name == name })
	ref, err := table.FindReference(t.Session, c.View().Stored(), child, &def.ForeignKeys[i])
	if err != nil {
		return err
	}
	rows := child.Collection.Scan(w, indexes.Everything(), tables.ScanOptions{Streaming: kv.StreamAll})
	defer rows.Close()
	for n := 0; rows.Next(); n++ {
		if n%table.RowsPerCheck == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if err := ref.CheckParent(ctx, w, rows.Document()); err != nil {
			return err
		}
	}
	return rows.Err()
}

// RefuseReferenced refuses to remove tables that foreign keys of others refer to.
func RefuseReferenced(ctx *sql.Context, view *catalog.View, names []catalog.Name) error {
	if !table.ChecksForeignKeys(ctx) {
		return nil
	}
	for _, n := range names {
		for _, ref := range view.References(n.Database, n.Name) {
			if !slices.ContainsFunc(names, func(o catalog.Name) bool {
				return strings.EqualFold(o.Database, ref.Child.Database) && strings.EqualFold(o.Name, ref.Child.Name)
			}) {
				return table.ForeignKeyError(errForeignKeyReferenced,
					"Cannot drop table '%s' referenced by a foreign key constraint '%s' on table '%s'.",
					n.Name, ref.Key.Name, ref.Child.Name)
			}
		}
	}
	return nil
}
