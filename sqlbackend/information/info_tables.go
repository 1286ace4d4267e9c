package information

import (
	"cmp"
	"encoding/json"
	"reflect"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/collation"
	"github.com/sqlfdb/sqlfdb/sqlbackend/companion"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
)

// schemata fills SCHEMATA: a database's collation is the one that it was given.
func (i *infoReading) schemata() error {
	view, err := i.session.Readers.Definitions()
	if err != nil {
		return err
	}
	return i.databases(func(shown, _ sql.Database) error {
		coll := sql.Collation_Default.Name()
		if _, own, ok := view.Database(shown.Name()); ok {
			coll = cmp.Or(own, collation.Default.Name())
		}
		charset, _, _ := strings.Cut(coll, "_")
		i.emit(infoCatalog, shown.Name(), charset, coll, nil, "NO")
		return nil
	})
}

// engineName is the storage engine's name in information_schema.
const engineName = "sqlfdb"

// Types of tables in information_schema.
const (
	baseTable  = "BASE TABLE"
	systemView = "SYSTEM VIEW"
)

// tables fills TABLES. The rows and lengths of a collection come from its counters, exact
// at the statement's version. DATA_LENGTH is the bytes of the documents' text, INDEX_LENGTH
// the bytes of the index entries' keys.
func (i *infoReading) tables() error {
	return i.databases(func(shown, db sql.Database) error {
		if err := i.tablesOf(shown, db, i.tableRow); err != nil {
			return err
		}
		views, err := i.viewsOf(db)
		if err != nil {
			return err
		}
		for _, v := range views {
			if !i.within.hasTable(v.Name) {
				continue
			}
			row := make(sql.Row, 21)
			row[0], row[1], row[2], row[3], row[20] = infoCatalog, db.Name(), v.Name, "VIEW", "VIEW"
			i.emit(row...)
		}
		return nil
	})
}

func (i *infoReading) tableRow(t infoSubject) error {
	if t.def == nil {
		kind := systemView
		var engine, collation any
		if _, companion := i.ownDatabase(t.schema); companion {
			kind, engine, collation = baseTable, engineName, t.table.Collation().Name()
		}
		comment := ""
		if c, ok := t.table.(sql.CommentedTable); ok {
			comment = c.Comment()
		}
		var rows any
		if child, ok := t.table.(*companion.ChildTable); ok && companion.Unindexed(child.Def.Options, child.Path) == "" {
			counts, err := companion.CountsOfKeypath(child.Def, i.from, child.Path)
			if err != nil {
				return err
			}
			rows = uint64(max(counts.Total().Entries, 0))
		}
		i.emit(infoCatalog, t.schema, t.name, kind, engine, 10, nil, rows, nil, nil, 0, nil, 0, nil, nil, nil, nil,
			collation,
			nil, "", comment)
		return nil
	}
	def := t.def
	stats := def.Collection.Statistics(i.from)
	documents, bytes, err := stats.Documents()
	if err != nil {
		return err
	}
	_, entryBytes, err := stats.Entries()
	if err != nil {
		return err
	}
	average := int64(0)
	if documents > 0 {
		average = bytes / documents
	}
	var next any
	for c := range def.Columns {
		if def.Columns[c].AutoIncrement {
			if next, err = i.session.Backend.Catalog.PeekAutoIncrement(i.from, def.ID); err != nil {
				return err
			}
		}
	}
	if def.Bucket != nil { // the bucket is not read
		i.emit(infoCatalog, def.Database, def.Name, baseTable, BucketEngine, 10, "Dynamic", nil, nil, nil, nil, nil, nil,
			nil,
			nil, nil, nil, shownCollation(def), nil, createOptions(def.Table), def.Comment)
		return nil
	}
	i.emit(infoCatalog, def.Database, def.Name, baseTable, engineName, 10, "Dynamic",
		uint64(documents), uint64(average), uint64(bytes), uint64(0), uint64(entryBytes), uint64(0), next,
		nil, nil, nil, shownCollation(def), nil, createOptions(def.Table), def.Comment)
	return nil
}

// ownDatabase reports whether a database is one that clients create.
func (i *infoReading) ownDatabase(name string) (string, bool) {
	view, err := i.session.Readers.Definitions()
	if err != nil {
		i.session.Failed = err
		return "", false
	}
	proper, _, ok := view.Database(name)
	return proper, ok
}

// shownCollation is the name of the collation of a table's strings.
func shownCollation(d *session.Definition) string {
	if d.Table.Collation == "" {
		return collation.Default.Name()
	}
	return d.Table.Collation
}

// createOptions are the options of a table that have no column of their own in
// TABLES, as CREATE TABLE takes them.
func createOptions(t *catalog.Table) string {
	text := engineAttributeOf(t)
	if text == "" {
		return ""
	}
	return "ENGINE_ATTRIBUTE=" + quoteText(text)
}

// engineAttributeOf is the table's options as ENGINE_ATTRIBUTE's JSON object;
// empty when all are the defaults, or stand in the comment already.
func engineAttributeOf(t *catalog.Table) string {
	if reflect.DeepEqual(t.Options, catalog.Options{}) || strings.HasPrefix(strings.TrimSpace(t.Comment), "{") {
		return ""
	}
	text, err := json.Marshal(t.Options)
	if err != nil {
		return ""
	}
	return string(text)
}

// quoteText writes a string literal.
func quoteText(s string) string {
	return "'" + strings.NewReplacer("\\", "\\\\", "'", "''", "\n", "\\n", "\r", "\\r", "\x00", "\\0").Replace(s) + "'"
}

// tableExtensions fills TABLES_EXTENSIONS: MySQL shows ENGINE_ATTRIBUTE there.
func (i *infoReading) tableExtensions() error {
	return i.databases(func(shown, db sql.Database) error {
		return i.tablesOf(shown, db, func(t infoSubject) error {
			var attribute any
			if t.def != nil {
				if text := engineAttributeOf(t.def.Table); text != "" {
					attribute = text
				}
			}
			i.emit(infoCatalog, t.schema, t.name, attribute, nil)
			return nil
		})
	})
}

// engines fills ENGINES.
func (i *infoReading) engines() error {
	own, bucket := "DEFAULT", "YES"
	if i.session.Backend.Bucket != "" {
		own, bucket = "NO", "DEFAULT"
	}
	i.emit(engineName, own, "JSON documents, every keypath indexed; transactions", "YES", "NO", "YES")
	i.emit(BucketEngine, bucket, "JSON documents in an object store, as files; indexes that are declared", "NO", "NO",
		"NO")
	return nil
}

// BucketEngine is the storage engine of tables in buckets, as statements name it.
const BucketEngine = "BUCKET"
