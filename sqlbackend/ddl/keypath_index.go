package ddl

import (
	"encoding/json"
	"strings"

	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/syntax"
)

// Clauses that are removed from a CREATE TABLE, because the engine would run them differently, stay in its syntax
// tree. They are table options whose names no statement can write: a prepared statement keeps them as long as it
// exists.
const (
	extractedIndexes     = "keypath indexes"
	extractedForeignKeys = "foreign keys"
)

// extracted returns the clauses that were extracted from the running CREATE TABLE under a name.
func extracted[T any](s *session.Session, name string) (taken []T) {
	ddl, ok := s.Parsed.Statement().(*ast.DDL)
	if !ok || ddl.TableSpec == nil {
		return nil
	}
	for _, o := range ddl.TableSpec.TableOpts {
		if o.Name == name {
			_ = json.Unmarshal([]byte(o.Value), &taken) // written by KeepExtracted
		}
	}
	return taken
}

// TakeKeypathIndexes moves the indexes on undeclared columns out of a CREATE TABLE of an open table, for CreateTable:
// the engine would look for the columns.
func TakeKeypathIndexes(ddl *ast.DDL) {
	if ddl.TableSpec == nil || ddl.Action != ast.CreateStr {
		return
	}
	declared := map[string]bool{}
	for _, c := range ddl.TableSpec.Columns {
		declared[c.Name.Lowered()] = true
	}
	if !declared[session.DocumentColumn] {
		return
	}
	var kept []*ast.IndexDefinition
	var taken []catalog.Index
	for _, x := range ddl.TableSpec.Indexes {
		idx := catalog.Index{Name: x.Info.Name.String(), Unique: x.Info.Unique, Bytes: true}
		undeclared := false
		for _, c := range x.Columns {
			undeclared = undeclared || !declared[c.Column.Lowered()]
			idx.Columns = append(idx.Columns, c.Column.String())
		}
		if !undeclared || x.Info.Primary || x.Info.Spatial || x.Info.Fulltext || x.Info.Vector {
			kept = append(kept, x)
			continue
		}
		for _, o := range x.Options {
			if strings.EqualFold(o.Name, "comment") && o.Value != nil {
				idx.Comment = string(o.Value.Val)
			}
		}
		if idx.Name == "" {
			idx.Name = idx.Columns[0]
		}
		taken = append(taken, idx)
	}
	ddl.TableSpec.Indexes = kept
	syntax.KeepExtracted(ddl, extractedIndexes, taken)
}
