package sqlbackend

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
	"github.com/sqlfdb/sqlfdb/sqlbackend/setting"
	"github.com/sqlfdb/sqlfdb/sqlbackend/syntax"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
	"github.com/sqlfdb/sqlfdb/tables"
)

// The engine knows nothing of foreign keys: they are declared here, and kept to by the editor (foreign_key_writes.go).

// MySQL's numbers of errors about foreign keys.
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
	errForeignKeyTypes      = 3780
	errForeignKeyReferenced = 3730
	errForeignKeyTruncate   = 1701
)

func foreignKeyError(number int, format string, args ...any) error {
	state := "HY000"
	if number == errForeignKeyTruncate {
		state = "42000"
	}
	return mysql.NewSQLError(number, state, format, args...)
}

// checksForeignKeys reports whether foreign keys are kept to: SET foreign_key_checks = 0 loads tables in any order.
func checksForeignKeys(ctx *sql.Context) bool { return setting.On(ctx, "foreign_key_checks") }

// takeForeignKeys takes the foreign keys out of a CREATE TABLE, for CreateTable: the engine would add them to a table
// that is there already, and leave it where one is refused.
func takeForeignKeys(ddl *ast.DDL) {
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
	syntax.KeepTaken(ddl, takenForeignKeys, keys)
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
// want where the statement has none.
func (s *Session) declareForeignKeys(ctx *sql.Context, view *catalog.View, def *catalog.Table,
	keys []catalog.ForeignKey) error {
	whole := def.Clone() // with the indexes that the engine adds behind
	if ddl, ok := s.statement().(*ast.DDL); ok && ddl.TableSpec != nil {
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

// settleForeignKey proves that a table can have a foreign key, and gives it its name and its columns as they are
// spelled. What it says of a parent that is not there is proved when somebody writes.
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
		return f, foreignKeyError(errForeignKeyDuplicate, "Duplicate foreign key constraint name '%s'", f.Name)
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
			return f, foreignKeyError(errForeignKeySetNull,
				"Column '%s' cannot be NOT NULL: needed in a foreign key constraint '%s' SET NULL", c.Name, f.Name)
		}
		f.Columns[i] = c.Name
	}
	parent, ok := view.Table(f.ParentDatabase, f.ParentTable)
	if strings.EqualFold(f.ParentDatabase, def.Database) && strings.EqualFold(f.ParentTable, def.Name) {
		parent, ok = def, true
	}
	if !ok {
		if checksForeignKeys(ctx) {
			return f, foreignKeyError(errForeignKeyNoTable, "Failed to open the referenced table '%s'", f.ParentTable)
		}
		return f, nil
	}
	f.ParentDatabase, f.ParentTable = parent.Database, parent.Name
	for i, name := range f.ParentColumns {
		place, ok := parent.Column(name)
		if !ok {
			return f, foreignKeyError(errForeignKeyNoColumn, "Failed to add the foreign key constraint. "+
				"Missing column '%s' for constraint '%s' in the referenced table '%s'", name, f.Name, parent.Name)
		}
		f.ParentColumns[i] = parent.Columns[place].Name
		own, _ := def.Column(f.Columns[i])
		if err := similarColumns(def, own, parent, place, f.Name); err != nil {
			return f, err
		}
	}
	if !parent.HasKey(f.ParentColumns) {
		return f, foreignKeyError(errForeignKeyIndex, "Failed to add the foreign key constraint. "+
			"Missing index for constraint '%s' in the referenced table '%s'", f.Name, parent.Name)
	}
	return f, nil
}

// similarColumns refuses a foreign key between columns whose values can't be looked for in each other. Strings of
// other lengths can; so can those that the parent alone compares as bytes.
func similarColumns(child *catalog.Table, i int, parent *catalog.Table, j int, name string) error {
	a, err := columnAt(child, i)
	if err != nil {
		return err
	}
	b, err := columnAt(parent, j)
	if err != nil {
		return err
	}
	similar := a.typ.Equals(b.typ) || alikeInImage(a.typ, b.typ)
	if own, ok := value.CollationOfType(a.typ); ok {
		its, ok := value.CollationOfType(b.typ)
		similar = ok && (its.IsBinary() || own.Name() == its.Name()) && child.Columns[i].Class == parent.Columns[j].Class
	} else if child.Columns[i].Class == catalog.ClassBytes {
		similar = parent.Columns[j].Class == catalog.ClassBytes
	}
	if !similar || types.IsJSON(a.typ) {
		return foreignKeyError(errForeignKeyTypes, "Referencing column '%s' and referenced column '%s' "+
			"in foreign key constraint '%s' are incompatible.", a.name, b.name, name)
	}
	return nil
}

// fitsParent reports whether a table has the columns that a foreign key refers to, of its types.
func fitsParent(child, parent *catalog.Table, f *catalog.ForeignKey) bool {
	for n := range f.Columns {
		i, there := child.Column(f.Columns[n])
		j, is := parent.Column(f.ParentColumns[n])
		if !there || !is || similarColumns(child, i, parent, j, f.Name) != nil {
			return false
		}
	}
	return true
}

func hasForeignKey(def *catalog.Table, name string) bool {
	return findForeignKey(def, name) >= 0
}

func findForeignKey(def *catalog.Table, name string) int {
	return slices.IndexFunc(def.ForeignKeys, func(f catalog.ForeignKey) bool { return strings.EqualFold(f.Name, name) })
}

// foreignKeyIndex is the name of the index that a table gets with a foreign key, unless one begins with its columns
// already.
func foreignKeyIndex(def *catalog.Table, f catalog.ForeignKey) (name string, wants bool) {
	if def.HasKey(f.Columns) {
		return "", false
	}
	name = f.Name
	if strings.HasPrefix(f.Name, def.Name+"_ibfk_") {
		name = f.Columns[0]
		for n := 2; findIndex(def, name) >= 0; n++ {
			name = f.Columns[0] + "_" + strconv.Itoa(n)
		}
	}
	return name, true
}

// foreignKeyTable finds the table of an ALTER TABLE that adds or drops a foreign key.
func foreignKeyTable(ctx *sql.Context, p sql.DatabaseProvider, database, name string) (*Table, error) {
	db, err := p.Database(ctx, database)
	if err != nil {
		return nil, err
	}
	found, ok, err := db.GetTableInsensitive(ctx, name)
	if err != nil {
		return nil, err
	}
	t, own := found.(*Table)
	if !ok || !own {
		return nil, sql.ErrTableNotFound.New(name)
	}
	return t, nil
}

// addForeignKey is ALTER TABLE … ADD FOREIGN KEY: the rows that are there must have their parents.
func (x *executor) addForeignKey(ctx *sql.Context, n *plan.CreateForeignKey) (sql.RowIter, error) {
	t, err := foreignKeyTable(ctx, n.DbProvider, n.FkDef.Database, n.FkDef.Table)
	if err == nil {
		err = t.addForeignKey(ctx, n.FkDef)
	}
	if err != nil {
		return nil, mysqlerr.Of(ctx, err)
	}
	return sql.RowsToRowIter(sql.NewRow(types.NewOkResult(0))), nil
}

// dropForeignKey is ALTER TABLE … DROP FOREIGN KEY.
func (x *executor) dropForeignKey(ctx *sql.Context, n *plan.DropForeignKey) (sql.RowIter, error) {
	t, err := foreignKeyTable(ctx, n.DbProvider, n.Database(), n.Table)
	if err != nil {
		return nil, err
	}
	err = changeDefinitions(ctx, func(c *catalog.Change) error {
		_, err := c.AlterTable(t.def.Database, t.def.Name, func(def *catalog.Table) error {
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
		err = t.reload(ctx)
	}
	if err != nil {
		return nil, mysqlerr.Of(ctx, err)
	}
	return sql.RowsToRowIter(sql.NewRow(types.NewOkResult(0))), nil
}

func (t *Table) addForeignKey(ctx *sql.Context, f *sql.ForeignKeyConstraint) error {
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
	if t.def.Temporary() {
		return mysql.NewSQLError(errCannotAddForeign, "HY000", "Cannot add foreign key constraint")
	}
	err := changeDefinitions(ctx, func(c *catalog.Change) error {
		_, err := c.AlterTable(t.def.Database, t.def.Name, func(def *catalog.Table) (err error) {
			if added, err = settleForeignKey(ctx, c.View().Stored(), def, added); err != nil {
				return err
			}
			if index, wants = foreignKeyIndex(def, added); wants && findIndex(def, index) >= 0 {
				return sql.ErrDuplicateKey.New(index)
			}
			def.ForeignKeys = append(def.ForeignKeys, added)
			return nil
		})
		if err == nil && checksForeignKeys(ctx) {
			err = t.proveForeignKey(ctx, c, added.Name)
		}
		return err
	})
	if err == nil {
		err = t.reload(ctx)
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

// proveForeignKey fails when a row of a table has no parent by a foreign key that it is given.
func (t *Table) proveForeignKey(ctx *sql.Context, c *catalog.Change, name string) error {
	w, err := writesOf(ctx)
	if err != nil {
		return err
	}
	def, ok := c.View().Table(t.def.Database, t.def.Name)
	if !ok {
		return fmt.Errorf("sqlbackend: %s: %w", t.def, catalog.ErrNoTable)
	}
	child, err := newDefinition(t.session.backend.catalog, def)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(def.ForeignKeys, func(f catalog.ForeignKey) bool { return f.Name == name })
	ref, err := t.session.reference(c.View().Stored(), child, &def.ForeignKeys[i])
	if err != nil {
		return err
	}
	rows := child.collection.Scan(w, indexes.Everything(), tables.ScanOptions{Streaming: kv.StreamAll})
	defer rows.Close()
	for n := 0; rows.Next(); n++ {
		if n%rowsPerCheck == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if err := ref.checkParent(ctx, w, rows.Document()); err != nil {
			return err
		}
	}
	return rows.Err()
}

// foreignKeyClause is a foreign key as CREATE TABLE has it.
func foreignKeyClause(def *catalog.Table, f *catalog.ForeignKey) string {
	parent := sql.QuoteIdentifier(f.ParentTable)
	if !strings.EqualFold(f.ParentDatabase, def.Database) {
		parent = sql.QuoteIdentifier(f.ParentDatabase) + "." + parent
	}
	text := "CONSTRAINT " + sql.QuoteIdentifier(f.Name) + " FOREIGN KEY (" + quotedNames(f.Columns) + ") REFERENCES " +
		parent + " (" + quotedNames(f.ParentColumns) + ")"
	for _, x := range []struct{ on, action string }{{"DELETE", f.OnDelete}, {"UPDATE", f.OnUpdate}} {
		if x.action != "" && x.action != "NO ACTION" {
			text += " ON " + x.on + " " + x.action
		}
	}
	return text
}

// refuseReferenced refuses to remove tables that foreign keys of others refer to.
func refuseReferenced(ctx *sql.Context, view *catalog.View, names []catalog.Name) error {
	if !checksForeignKeys(ctx) {
		return nil
	}
	for _, n := range names {
		for _, ref := range view.References(n.Database, n.Name) {
			if !slices.ContainsFunc(names, func(o catalog.Name) bool {
				return strings.EqualFold(o.Database, ref.Child.Database) && strings.EqualFold(o.Name, ref.Child.Name)
			}) {
				return foreignKeyError(errForeignKeyReferenced,
					"Cannot drop table '%s' referenced by a foreign key constraint '%s' on table '%s'.",
					n.Name, ref.Key.Name, ref.Child.Name)
			}
		}
	}
	return nil
}
