package information

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/collation"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// createStatement is the CREATE TABLE that makes the table again, from its declarations. People and tools also see
// the inferred columns; a dump, which is restored from it, does not. It names no storage engine: other servers lack
// this one, and this server needs none.
func createStatement(b *session.Instance, d *session.Definition, r kv.Reader, dumps bool) (string, error) {
	var lines []string
	documentAt := func(place int) {
		if d.Open && d.DocumentColumn == place {
			lines = append(lines, sql.QuoteIdentifier(session.DocumentColumn)+" json")
		}
	}
	next := ""
	for i := range d.Visible() {
		documentAt(i)
		lines = append(lines, ColumnText(d, i))
		if d.Columns[i].AutoIncrement {
			n, err := b.Catalog.PeekAutoIncrement(r, d.ID)
			if err != nil {
				return "", err
			}
			if n > 1 {
				next = " AUTO_INCREMENT=" + strconv.FormatUint(n, 10)
			}
		}
	}
	if d.Open && !dumps && d.Bucket == nil {
		_, inferred, err := d.Inferred(r, session.Shape{List: true})
		if err != nil {
			return "", err
		}
		for _, c := range inferred {
			lines = append(lines, sql.QuoteIdentifier(c.Name)+" "+plainType(c.Type)+" DEFAULT NULL COMMENT "+
				quoteText(c.Comment))
		}
	}
	documentAt(d.Visible())
	if key := keyNames(d.Table); len(key) > 0 {
		lines = append(lines, "PRIMARY KEY ("+table.QuotedNames(key)+")")
	}
	for _, x := range append(d.Table.Indexes[:len(d.Table.Indexes):len(d.Table.Indexes)], d.BucketIndexes()...) {
		line := "KEY " + sql.QuoteIdentifier(x.Name) + " (" + strings.Join(table.PartTexts(d, &x, sql.QuoteIdentifier),
			",") +
			")"
		if x.Unique {
			line = "UNIQUE " + line
		}
		if x.Comment != "" {
			line += " COMMENT " + quoteText(x.Comment)
		}
		lines = append(lines, line)
	}
	for i := range d.ForeignKeys {
		lines = append(lines, table.ForeignKeyClause(d.Table, &d.ForeignKeys[i]))
	}
	for _, c := range d.Checks {
		line := "CONSTRAINT " + sql.QuoteIdentifier(c.Name) + " CHECK (" +
			session.WithoutParentheses(d.QuoteColumns(c.Expression)) +
			")"
		if !c.Enforced {
			line += " /*!80016 NOT ENFORCED */"
		}
		lines = append(lines, line)
	}
	kind := "TABLE "
	if d.Temporary() {
		kind = "TEMPORARY TABLE "
	}
	text := "CREATE " + kind + sql.QuoteIdentifier(d.Name) + " (\n  " + strings.Join(lines, ",\n  ") + "\n)" +
		bucketClause(d) + next +
		" DEFAULT CHARSET=utf8mb4 COLLATE=" + shownCollation(d)
	if d.Comment != "" {
		text += " COMMENT=" + quoteText(d.Comment)
	}
	attribute, err := attributeClause(d.Table)
	if err != nil {
		return "", err
	}
	text += attribute
	if dumps {
		text = forMariaDB(text)
	}
	return text, nil
}

// ColumnText is the declaration of a column.
func ColumnText(d *session.Definition, i int) string {
	c, typ := &d.Columns[i], d.SQLColumns[i].Typ
	text := sql.QuoteIdentifier(c.Name) + " " + typ.String()
	if t, ok := typ.(value.TextType); ok {
		text = sql.QuoteIdentifier(c.Name) + " " + plainType(t)
		// A key's strings compare as bytes unless it was declared otherwise.
		implied := c.Collation == d.Table.Collation
		if d.IsKey(i) && shownCollation(d) == collation.Default.Name() {
			implied = t.Coll.IsBinary()
		}
		if c.Collation != "" && !implied {
			text += " COLLATE " + c.Collation
		}
	} else if types.IsEnum(typ) || types.IsSet(typ) {
		text = sql.QuoteIdentifier(c.Name) + " " + c.Type
	} else if t, ok := typ.(sql.TypeWithCollation); ok {
		text = sql.QuoteIdentifier(c.Name) + " " + t.StringWithTableCollation(session.CollationID(d.Table.Collation))
	}
	if !c.Nullable {
		text += " NOT NULL"
	}
	if c.AutoIncrement {
		text += " AUTO_INCREMENT"
	}
	switch {
	case c.Generated != "":
		text += " GENERATED ALWAYS AS (" + session.WithoutParentheses(d.QuoteColumns(c.Generated)) + ")"
		if c.Virtual || c.NamedVirtual {
			text += " VIRTUAL"
		} else {
			text += " STORED"
		}
	case c.Default != "":
		text += " DEFAULT " + defaultClause(d, c, typ)
	}
	if c.OnUpdate != "" {
		text += " ON UPDATE " + session.WithoutParentheses(c.OnUpdate)
	}
	if c.Comment != "" {
		text += " COMMENT " + quoteText(c.Comment)
	}
	return text
}

// plainType is a type without its character set and collation.
func plainType(t sql.Type) string {
	switch t := t.(type) {
	case sql.EnumType:
		return session.ListText("enum", t.Values(), sql.Collation_Default)
	case sql.SetType:
		return session.ListText("set", t.Values(), sql.Collation_Default)
	}
	return strings.Split(strings.Split(t.String(), " COLLATE")[0], " CHARACTER SET")[0]
}

// plainNow is a default that MySQL writes without parentheses.
var plainNow = regexp.MustCompile(`^(CURRENT_TIMESTAMP|NOW)(\(\d?\))?$`)

// defaultClause is a column's default as CREATE TABLE takes it: numbers in
// quotes, as MySQL writes them, expressions in parentheses.
func defaultClause(d *session.Definition, c *catalog.Column, typ sql.Type) string {
	value, expression := defaultText(c)
	text, _ := value.(string)
	switch {
	case value == nil:
		return "NULL"
	case expression && plainNow.MatchString(text):
		return text
	case expression:
		return "(" + d.QuoteColumns(text) + ")"
	case types.IsBit(typ):
		if n, err := strconv.ParseUint(text, 10, 64); err == nil {
			return "b'" + strconv.FormatUint(n, 2) + "'"
		}
	case types.IsNumber(typ):
		return quoteText(text)
	}
	return c.Default
}

// bucketClause is the part of CREATE TABLE that says in which bucket a table is.
func bucketClause(d *session.Definition) string {
	if d.Table.Bucket == nil {
		return ""
	}
	return " ENGINE=" + BucketEngine + " CONNECTION=" + quoteText(d.Bucket.Place().String())
}
