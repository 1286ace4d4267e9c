package ddl

import (
	"slices"
	"strconv"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
)

// A part of an index that is an expression has a column of its own. So has a part of a unique index that is the
// beginning of a column. That column is hidden from every statement, and computed for each written document; the
// index is on it (RFC 0016).

// createPartIndex makes an index that has hidden columns among its parts: documents get their values at once.
func createPartIndex(t *table.Table, ctx *sql.Context, idx catalog.Index, parts []table.KeyPart) error {
	names := make([]string, len(parts))
	a := alteration{edit: func(def *catalog.Table) error {
		if table.FindIndex(def, idx.Name) >= 0 || strings.EqualFold(idx.Name, "PRIMARY") {
			return sql.ErrDuplicateKey.New(idx.Name)
		}
		for i, p := range parts {
			if names[i] = p.Name; p.Hidden == nil {
				continue
			}
			hidden := *p.Hidden
			if hidden.PrefixOf != "" {
				of, ok := def.Column(hidden.PrefixOf)
				if !ok {
					return sql.ErrKeyColumnDoesNotExist.New(hidden.PrefixOf)
				}
				table.FollowColumn(&hidden, &def.Columns[of])
			}
			def.LastIndex++
			hidden.Name = table.HiddenPart + strconv.FormatInt(def.LastIndex, 10)
			names[i] = hidden.Name
			def.Columns = append(def.Columns, hidden)
		}
		made := idx
		made.Columns = slices.Clone(names)
		def.AddIndex(made)
		return checkColumns(def)
	}}
	a.rewrite = func(ctx *sql.Context, _, to *session.Definition, d document.Document) (document.Document, error) {
		var err error
		for i, p := range parts {
			switch {
			case p.Value != nil:
				d, err = fillComputed(p.Value, ctx, d, to.ColumnNamed(names[i]), false)
			case p.Hidden != nil:
				d, err = table.FillPrefix(to, ctx, d, to.ColumnNamed(names[i]))
			}
			if err != nil {
				return d, err
			}
		}
		return d, nil
	}
	job := int64(0)
	err := session.ChangeDefinitions(ctx, func(c *catalog.Change) (err error) {
		job, err = addParts(t, ctx, c, a)
		return err
	})
	if err != nil {
		return err
	}
	if job != 0 {
		table.AfterCommit(ctx, func(ctx *sql.Context) error { return awaitIndex(t, ctx, idx.Name, job) })
	}
	return mysqlerr.Of(ctx, reload(t, ctx))
}

// dropPartIndex removes an index with the hidden columns that are its parts.
func dropPartIndex(t *table.Table, ctx *sql.Context, hidden []string, edit func(*catalog.Table) error) error {
	a := alteration{
		edit: func(def *catalog.Table) error {
			if err := edit(def); err != nil {
				return err
			}
			table.RemoveHidden(def, hidden)
			return nil
		},
		rewrite: func(_ *sql.Context, from, _ *session.Definition, d document.Document) (document.Document, error) {
			return table.Without(from, d, hidden)
		},
	}
	err := session.ChangeDefinitions(ctx, func(c *catalog.Change) error { return dropParts(t, ctx, c, hidden, edit, a) })
	if err != nil {
		return err
	}
	return mysqlerr.Of(ctx, reload(t, ctx))
}
