package ddl

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/mysql"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/sqlbackend/compare"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
	"github.com/sqlfdb/sqlfdb/tables"
)

var (
	_ sql.AlterableTable          = (*table.Table)(nil)
	_ sql.CheckAlterableTable     = (*table.Table)(nil)
	_ sql.CollationAlterableTable = (*table.Table)(nil)
)

// alteration is a change of a definition and its effect on the documents.
type alteration struct {
	edit func(*catalog.Table) error
	// rewrite returns the changed document; it gets the definitions before and after the change. It is nil when the
	// documents stay unchanged.
	rewrite rewriting
	// follows says that values of a column change, so that generated columns are computed again and checks must hold.
	follows bool
	// nearest is set if generated values that don't fit are replaced by the nearest ones that do.
	nearest *compare.AssignmentRules
	// retype, set when the alteration changes a column's type, decides how the documents change.
	retype *retyping
	// moves says that the documents get other primary keys, and so move to another collection.
	moves bool
	// follow changes other definitions; nil if none has to change.
	follow func(*catalog.Change) error
}

// rewriting returns a document as a change of its table's definition leaves it.
type rewriting func(ctx *sql.Context, from, to *session.Definition, d document.Document) (document.Document, error)

// alter changes the table's definition and its documents within the statement's transaction, and updates t to the
// changed table.
func alter(t *table.Table, ctx *sql.Context, a alteration) error {
	err := session.ChangeDefinitions(ctx, func(c *catalog.Change) error {
		err := alterWithin(t, ctx, c, a)
		if err == nil && a.follow != nil {
			err = a.follow(c)
		}
		return err
	})
	if err != nil {
		return err
	}
	return mysqlerr.Of(ctx, reload(t, ctx))
}

func alterWithin(t *table.Table, ctx *sql.Context, c *catalog.Change, a alteration) error {
	cat := t.Session.Backend.Catalog
	w, err := session.WritesOf(ctx)
	if err != nil {
		return err
	}
	if a.moves {
		return move(t, ctx, c, w, a)
	}
	before, ok := c.View().Table(t.Def.Database, t.Def.Name)
	if !ok {
		return fmt.Errorf("sqlbackend: %s: %w", t.Def, catalog.ErrNoTable)
	}
	edit := a.edit
	if a.retype != nil {
		if err := a.retype.decide(ctx, cat, w, before); err != nil {
			return err
		}
	}
	switch {
	case a.retype.isLater():
		edit = func(def *catalog.Table) error { return a.retype.later(def, a.edit) }
	case a.retype.isIdle():
	case a.rewrite != nil:
		after := before.Clone()
		if err := a.edit(after); err != nil {
			return err
		}
		misfits, err := rewriteAll(t, ctx, w, before, after, a)
		if err != nil {
			return err
		}
		edit = func(def *catalog.Table) error {
			if err := a.edit(def); err != nil {
				return err
			}
			for i := range def.Columns { // all documents were read
				def.Columns[i].Earlier, def.Columns[i].Misfits = nil, misfits[def.Columns[i].Name]
			}
			return nil
		}
	}
	after, err := c.AlterTable(t.Def.Database, t.Def.Name, edit)
	if err != nil {
		return err
	}
	if a.retype.isLater() && after.Temporary() {
		return nil // documents are converted when they are read
	}
	if a.retype.isLater() {
		table.AfterCommit(ctx, func(ctx *sql.Context) error { return awaitUpgrade(t, ctx) })
		return enqueueUpgrade(w, after)
	}
	clearDropped(w, before, after)
	return nil
}

// rewriteAll rewrites the documents as a change requires. Where it changes how the index encodes a column, every
// document leaves the old index and enters the new one. It fails when documents get equal values in a unique index.
// It returns the columns with values that don't fit them.
func rewriteAll(t *table.Table, ctx *sql.Context, w *tables.Tx, before, after *catalog.Table,
	a alteration) (map[string]bool,
	error) {
	cat := t.Session.Backend.Catalog
	from, err := session.NewDefinition(cat, before)
	if err != nil {
		return nil, err
	}
	to, err := session.NewDefinition(cat, after)
	if err != nil {
		return nil, err
	}
	misfits := map[string]bool{}
	rewrite, err := following(t, ctx, to, a)
	if err != nil {
		return nil, err
	}
	proof := newUniqueProof(from, to, a.follows)
	reindex := before.Upgrading() || encodesDifferently(before, after) || indexesDifferently(before, after)
	// With conflicts: a document that is inserted meanwhile would not be rewritten.
	restore := w.Fence()
	defer restore()
	rows := from.Collection.Scan(w.Statement(), indexes.Everything(), tables.ScanOptions{Streaming: kv.StreamAll})
	defer rows.Close()
	for n := 1; rows.Next(); n++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		pk := bytes.Clone(rows.PK())
		old := rows.Document()
		next, err := rewrite(ctx, from, to, old)
		if err != nil {
			return nil, inRow(ctx, err, n)
		}
		if err := to.Typing.Misfits(next, func(m tables.Misfit) { misfits[m.Column] = true }); err != nil {
			return nil, err
		}
		if err := proof.add(ctx, next); err != nil {
			return nil, err
		}
		switch {
		case reindex:
			if err := from.Collection.Delete(ctx, w, pk); err != nil {
				return nil, err
			}
			if err := to.Collection.Insert(ctx, w, pk, next); err != nil {
				return nil, err
			}
		case next.Text() != old.Text():
			err := to.Collection.Update(ctx, w, pk, func(document.Document) (document.Document, error) { return next, nil })
			if err != nil {
				return nil, err
			}
		}
		if err := w.CheckSize(); err != nil {
			return nil, err
		}
	}
	return misfits, rows.Err()
}

// indexesDifferently reports whether the entries of a declared index are over other keypaths after a change.
func indexesDifferently(before, after *catalog.Table) bool {
	for i := range after.Indexes {
		idx := &after.Indexes[i]
		at := slices.IndexFunc(before.Indexes, func(x catalog.Index) bool { return x.Number == idx.Number })
		if idx.Number != 0 && (at < 0 || !slices.Equal(before.Indexes[at].Columns, idx.Columns)) {
			return true
		}
	}
	return false
}

// encodesDifferently reports whether the index holds other keypaths, or encodes the values of some column
// differently, after a change.
func encodesDifferently(before, after *catalog.Table) bool {
	type encoding struct {
		class, collation string
		version          int64
		bytes            bool
	}
	of := func(t *catalog.Table) map[string]encoding {
		m := map[string]encoding{}
		for i := range t.Columns {
			c := &t.Columns[i]
			if c.Class != "" || c.Collation != "" || c.FieldVersion != 0 ||
				session.ColumnCollation(t, i) != session.UndeclaredCollation(t) {
				m[c.Name] = encoding{c.Class, c.Collation, c.FieldVersion, c.Class == catalog.ClassBytes &&
					t.BytesIndexed(c.Name)}
			}
		}
		return m
	}
	if before.Options.Depth() != after.Options.Depth() || before.Options.SortKeyLimit() != after.Options.SortKeyLimit() ||
		!slices.Equal(before.Options.Excluded, after.Options.Excluded) {
		return true
	}
	a, b := of(before), of(after)
	if before.Collation != after.Collation || before.UndeclaredCollation() != after.UndeclaredCollation() ||
		len(a) != len(b) {
		return true
	}
	for name, e := range a {
		if b[name] != e {
			return true
		}
	}
	return false
}

// reload sets t to the table as defined now: the engine goes on with the table that it altered.
func reload(t *table.Table, ctx *sql.Context) error {
	view, err := t.Session.Readers.Definitions()
	if err != nil {
		return err
	}
	def, ok := view.Table(t.Def.Database, t.Def.Name)
	if !ok {
		return fmt.Errorf("sqlbackend: %s: %w", t.Def, catalog.ErrNoTable)
	}
	d, err := t.Session.Backend.Definitions.Of(def)
	if err != nil {
		return err
	}
	r, err := t.Session.Readers.Plan()
	if err != nil {
		return err
	}
	fresh, err := table.NewTable(t.Session, d, r, session.Shape{Document: true, Key: true})
	if err != nil {
		return err
	}
	filling := t.Filling
	*t = *fresh
	t.Filling = filling
	return nil
}

// AddColumn implements sql.AlterableTable. Documents of an open table may have the keypath already. Their values are
// converted later where retyping allows it and the column needs no default. Otherwise they are converted at once, and
// a value that doesn't fit makes it fail.
func (Definer) AddColumn(ctx *sql.Context, t *table.Table, c *sql.Column, order *sql.ColumnOrder) error {
	if strings.EqualFold(c.Name, session.DocumentColumn) {
		return mysqlerr.Unsupported(
			"column %s can't be added: whether a table takes any document is decided when it is created",
			session.DocumentColumn)
	}
	added, err := table.Declare(c)
	if err != nil {
		return err
	}
	added.KeepsNull = keepsNull(&added, t.Def.Open)
	a := alteration{edit: func(def *catalog.Table) error {
		if _, there := def.Column(added.Name); there {
			return sql.ErrColumnExists.New(added.Name)
		}
		place, err := placeOf(def, order, def.Visible())
		if err != nil {
			return err
		}
		insertColumn(def, place, added)
		if err := table.RefuseReads(def, place); err != nil {
			return err
		}
		return checkColumns(def)
	}}
	absent, err := absentValue(ctx, c)
	if err != nil {
		return mysqlerr.Of(ctx, err)
	}
	value, err := computedColumnOf(t, ctx, c, absent)
	if err != nil {
		return mysqlerr.Of(ctx, err)
	}
	if value == nil && (t.Def.Open || absent != nil) {
		a.retype = &retyping{name: added.Name, to: added, retypes: true, declares: true, absent: absent}
	}
	if t.Def.Open {
		a.rewrite = func(ctx *sql.Context, _, to *session.Definition, d document.Document) (document.Document, error) {
			return conform(ctx, d, to.ColumnNamed(added.Name), false)
		}
	}
	if value != nil {
		a.rewrite = func(ctx *sql.Context, _, to *session.Definition, d document.Document) (document.Document, error) {
			return fillComputed(value, ctx, d, to.ColumnNamed(added.Name), !c.Nullable)
		}
	}
	if c.AutoIncrement {
		number(&a, t.Def.ID, added.Name)
	}
	if err := alter(t, ctx, a); err != nil {
		return err
	}
	null := c.Nullable && absent == nil && c.Default.IsLiteral() // DEFAULT NULL: there is nothing to write
	filled := null || c.AutoIncrement || value != nil && (!c.Nullable || c.Default != nil) || a.retype != nil &&
		a.retype.fills != ""
	if !filled && (!c.Nullable || c.Default != nil) {
		// The engine writes the default next, in competition with a job on the same documents.
		if err := finishFirst(t, ctx); err != nil {
			return err
		}
	}
	t.Filling, t.Filled = c.Name, filled
	return nil
}

// DropColumn implements sql.AlterableTable: the values go too, in the same
// transaction. Where the counts prove that there are none, no document is read.
func (Definer) DropColumn(ctx *sql.Context, t *table.Table, name string) error {
	if strings.EqualFold(name, session.DocumentColumn) {
		return mysqlerr.Unsupported("column %s can't be dropped", session.DocumentColumn)
	}
	if err := refuseReferencedColumn(t, name); err != nil {
		return mysqlerr.Of(ctx, err)
	}
	if table.Computes(t.Def.Table, name) {
		return mysqlerr.ComputedDependent(name)
	}
	if err := t.RefuseRead(name); err != nil {
		return err
	}
	if !t.Def.Open && t.Def.Visible() == 1 && !table.AddsColumn(t.Session) {
		return mysql.NewSQLError(1090, "42000", "You can't delete all columns with ALTER TABLE; use DROP TABLE instead")
	}
	a := alteration{
		edit: func(def *catalog.Table) error {
			i, ok := def.Column(name)
			if !ok {
				return sql.ErrTableColumnNotFound.New(def.Name, name)
			}
			def.PrimaryKey = slices.DeleteFunc(def.PrimaryKey, func(k int) bool { return k == i })
			prefixes := table.PrefixesOf(def, name)
			for _, part := range append(prefixes, name) {
				if err := dropFromIndexes(def, part); err != nil {
					return err
				}
			}
			removeColumn(def, i)
			table.RemoveHidden(def, prefixes)
			return nil
		},
		rewrite: func(_ *sql.Context, from, _ *session.Definition, d document.Document) (document.Document, error) {
			return table.Without(from, d, append(table.PrefixesOf(from.Table, name), name))
		},
	}
	if c := t.Def.ColumnNamed(name); c != nil && t.Def.IsKey(c.Declared) {
		a.moves = true
	} else if len(table.PrefixesOf(t.Def.Table, name)) == 0 {
		a.retype = &retyping{name: name, drops: true}
	}
	return alter(t, ctx, a)
}

// ModifyColumn implements sql.AlterableTable: another type, name, place or attribute. Where retyping allows it, a new
// type changes only the definition, and documents are upgraded later. Otherwise all are rewritten at once, and a
// value that doesn't fit the new type makes it fail.
func (Definer) ModifyColumn(ctx *sql.Context, t *table.Table, name string, c *sql.Column,
	order *sql.ColumnOrder) error {
	if strings.EqualFold(name, session.DocumentColumn) || strings.EqualFold(c.Name, session.DocumentColumn) {
		return mysqlerr.Unsupported("column %s can't be changed", session.DocumentColumn)
	}
	changed, err := table.Declare(c)
	if err != nil {
		return err
	}
	old := t.Def.ColumnNamed(name)
	if old == nil {
		return sql.ErrTableColumnNotFound.New(t.Def.Name, name)
	}
	was := t.Def.Columns[old.Declared]
	if !strings.EqualFold(changed.Name, was.Name) {
		if err := t.RefuseRead(was.Name); err != nil {
			return err
		}
		for _, c := range t.Def.Checks {
			if reads, _ := table.ColumnReads(t.Def.Table, c.Expression); reads[strings.ToLower(was.Name)] {
				return sql.ErrCheckConstraintInvalidatedByColumnAlter.New(was.Name, c.Name)
			}
		}
	}
	if changed.KeepsNull = was.KeepsNull && changed.Type == was.Type; changed.Type != was.Type {
		changed.KeepsNull = keepsNull(&changed, t.Def.Open)
	}
	if err := refuseReferencedType(t, ctx, name, changed); err != nil {
		return mysqlerr.Of(ctx, err)
	}
	retyped := changed.Type != was.Type || changed.Class != was.Class || changed.Collation != was.Collation
	if table.Computes(t.Def.Table, name) {
		switch {
		case !strings.EqualFold(changed.Name, was.Name):
			return mysqlerr.ComputedDependent(name)
		case retyped:
			return mysqlerr.Unsupported("another type for column %s, which an index on an expression reads", name)
		}
	}
	prefixes := table.PrefixesOf(t.Def.Table, name)
	if len(prefixes) > 0 && !table.Prefixed(&changed) {
		return mysqlerr.WrongPrefix()
	}
	key := t.Def.IsKey(old.Declared)
	if key {
		changed.Nullable = false
		if changed.Collation == "" && changed.Class == "" {
			changed.Collation = was.Collation
		}
	}
	a := alteration{edit: func(def *catalog.Table) error {
		i, ok := def.Column(name)
		if !ok {
			return sql.ErrTableColumnNotFound.New(def.Name, name)
		}
		if j, there := def.Column(changed.Name); there && j != i {
			return sql.ErrColumnExists.New(changed.Name)
		}
		if now := &def.Columns[i]; now.Type != was.Type || now.Class != was.Class || now.Collation != was.Collation ||
			now.Nullable != was.Nullable {
			return errDefinitionChanged() // another ALTER TABLE was faster: the decisions below don't know its change
		}
		next := changed
		next.FieldVersion, next.Earlier, next.Misfits = def.Columns[i].FieldVersion, def.Columns[i].Earlier,
			def.Columns[i].Misfits
		def.Columns[i] = next
		for k := def.Visible(); k < len(def.Columns); k++ {
			if slices.Contains(prefixes, def.Columns[k].Name) {
				table.FollowColumn(&def.Columns[k], &next)
			}
		}
		for k := range def.Indexes {
			for l, column := range def.Indexes[k].Columns {
				if strings.EqualFold(column, name) {
					def.Indexes[k].Columns[l] = changed.Name
				}
			}
		}
		if order != nil {
			place, err := placeOf(def, order, i)
			if err != nil {
				return err
			}
			moveColumn(def, i, place)
		}
		if i, ok = def.Column(changed.Name); ok {
			if err := table.RefuseReads(def, i); err != nil {
				return err
			}
		}
		return checkColumns(def)
	}}
	var value *table.ComputedColumn
	if changed.Generated != "" && changed.Generated != was.Generated {
		if value, err = computedColumnOf(t, ctx, c, nil); err != nil {
			return mysqlerr.Of(ctx, err)
		}
	}
	retypes := value != nil || changed.Type != was.Type || changed.Collation != was.Collation || was.Misfits
	if key && retypes {
		wide, err := session.ParseType(changed.Type)
		if err != nil {
			return err
		}
		same := changed.Class == was.Class && changed.Collation == was.Collation
		a.moves = value != nil || !same || !widens(old.Typ, wide)
		retypes = a.moves
	}
	filled, rules := was.Nullable && !changed.Nullable, compare.RulesOf(ctx, false)
	nearest := rules.Lenient && !t.Def.Open && value == nil && (retypes || filled)
	if !key && changed.Name == was.Name && (retypes || filled) && len(prefixes) == 0 {
		a.retype = &retyping{name: name, to: changed, retypes: retypes, fits: !t.Def.Open, nearest: nearest}
	}
	if changed.Name != was.Name || retypes || filled && nearest {
		a.rewrite = func(ctx *sql.Context, from, to *session.Definition, d document.Document) (document.Document, error) {
			before, after := from.ColumnNamed(name), to.ColumnNamed(changed.Name)
			if value != nil {
				next, err := fillComputed(value, ctx, d, after, !changed.Nullable)
				if err != nil || before.Keypath.Equal(after.Keypath) {
					return next, err
				}
				return next.Without(before.Keypath)
			}
			if !before.Keypath.Equal(after.Keypath) {
				if v, there := d.Lookup(before.Keypath); there {
					var err error
					if d, err = d.Without(before.Keypath); err != nil {
						return d, err
					}
					if d, err = d.With(after.Keypath, v); err != nil {
						return d, err
					}
				}
			}
			if nearest {
				compare.AssignedBy(ctx, rules).Row++
				return reformed(ctx, d, before, after, !changed.Nullable, rules)
			}
			return reform(ctx, d, before, after, !changed.Nullable)
		}
	}
	if rewrite := a.rewrite; len(prefixes) > 0 {
		a.rewrite = func(ctx *sql.Context, from, to *session.Definition, d document.Document) (document.Document, error) {
			var err error
			if rewrite != nil {
				d, err = rewrite(ctx, from, to, d)
			} else {
				d, err = conform(ctx, d, to.ColumnNamed(changed.Name), !changed.Nullable)
			}
			for _, part := range prefixes {
				if err == nil {
					d, err = table.FillPrefix(to, ctx, d, to.ColumnNamed(part))
				}
			}
			return d, err
		}
	}
	a.follows = retypes || filled
	if nearest {
		a.nearest = rules
	}
	a.follow = func(c *catalog.Change) error {
		err := c.FollowColumn(t.Def.Database, t.Def.Name, name, changed.Name)
		if err == nil && changed.AutoIncrement && !was.AutoIncrement {
			err = countOn(t, ctx, c, changed.Name)
		}
		return err
	}
	return alter(t, ctx, a)
}

// ModifyDefaultCollation implements sql.CollationAlterableTable.
func (Definer) ModifyDefaultCollation(ctx *sql.Context, t *table.Table, collation sql.CollationID) error {
	_, err := alterIndexed(t, ctx, "the table's collation has changed", func(def *catalog.Table) error {
		def.Collation = writtenCollations(ctx).OfTable(collation)
		return nil
	})
	return err
}

// ModifyStoredCollation implements sql.CollationAlterableTable.
func (Definer) ModifyStoredCollation(ctx *sql.Context, t *table.Table, collation sql.CollationID) error {
	return t.ModifyDefaultCollation(ctx, collation)
}
