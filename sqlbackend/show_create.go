package sqlbackend

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/collation"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// createStatement is the CREATE TABLE that makes the table anew: what was declared. A person and a tool that reads it
// also see the columns that were inferred; a dump, which is restored from it, does not. It names no storage engine:
// another server has not got this one, and this one needs none.
func (b *Backend) createStatement(d *definition, r kv.Reader, dumps bool) (string, error) {
	var lines []string
	documentAt := func(place int) {
		if d.Open && d.DocumentColumn == place {
			lines = append(lines, sql.QuoteIdentifier(documentColumn)+" json")
		}
	}
	next := ""
	for i := range d.Visible() {
		documentAt(i)
		lines = append(lines, d.columnText(i))
		if d.Columns[i].AutoIncrement {
			n, err := b.catalog.PeekAutoIncrement(r, d.ID)
			if err != nil {
				return "", err
			}
			if n > 1 {
				next = " AUTO_INCREMENT=" + strconv.FormatUint(n, 10)
			}
		}
	}
	if d.Open && !dumps {
		_, inferred, err := d.inferred(r, shape{list: true})
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
		lines = append(lines, "PRIMARY KEY ("+quotedNames(key)+")")
	}
	for _, x := range d.Table.Indexes {
		line := "KEY " + sql.QuoteIdentifier(x.Name) + " (" + strings.Join(d.partTexts(&x, sql.QuoteIdentifier), ",") + ")"
		if x.Unique {
			line = "UNIQUE " + line
		}
		if x.Comment != "" {
			line += " COMMENT " + quoteText(x.Comment)
		}
		lines = append(lines, line)
	}
	for i := range d.ForeignKeys {
		lines = append(lines, foreignKeyClause(d.Table, &d.ForeignKeys[i]))
	}
	for _, c := range d.Checks {
		line := "CONSTRAINT " + sql.QuoteIdentifier(c.Name) + " CHECK (" + withoutParentheses(d.quoteColumns(c.Expression)) +
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
	text := "CREATE " + kind + sql.QuoteIdentifier(d.Name) + " (\n  " + strings.Join(lines, ",\n  ") + "\n)" + next +
		" DEFAULT CHARSET=utf8mb4 COLLATE=" + d.shownCollation()
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

// columnText is the declaration of a column.
func (d *definition) columnText(i int) string {
	c, typ := &d.Columns[i], d.columns[i].typ
	text := sql.QuoteIdentifier(c.Name) + " " + typ.String()
	if t, ok := typ.(value.TextType); ok {
		text = sql.QuoteIdentifier(c.Name) + " " + plainType(t)
		// A key's strings compare as bytes unless it was declared otherwise.
		implied := c.Collation == d.Table.Collation
		if d.isKey(i) && d.shownCollation() == collation.Default.Name() {
			implied = t.Coll.IsBinary()
		}
		if c.Collation != "" && !implied {
			text += " COLLATE " + c.Collation
		}
	} else if types.IsEnum(typ) || types.IsSet(typ) {
		text = sql.QuoteIdentifier(c.Name) + " " + c.Type
	} else if t, ok := typ.(sql.TypeWithCollation); ok {
		text = sql.QuoteIdentifier(c.Name) + " " + t.StringWithTableCollation(collationID(d.Table.Collation))
	}
	if !c.Nullable {
		text += " NOT NULL"
	}
	if c.AutoIncrement {
		text += " AUTO_INCREMENT"
	}
	switch {
	case c.Generated != "":
		text += " GENERATED ALWAYS AS (" + withoutParentheses(d.quoteColumns(c.Generated)) + ")"
		if c.Virtual || c.NamedVirtual {
			text += " VIRTUAL"
		} else {
			text += " STORED"
		}
	case c.Default != "":
		text += " DEFAULT " + d.defaultClause(c, typ)
	}
	if c.OnUpdate != "" {
		text += " ON UPDATE " + withoutParentheses(c.OnUpdate)
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
		return listText("enum", t.Values(), sql.Collation_Default)
	case sql.SetType:
		return listText("set", t.Values(), sql.Collation_Default)
	}
	return strings.Split(strings.Split(t.String(), " COLLATE")[0], " CHARACTER SET")[0]
}

// plainNow is a default that MySQL writes without parentheses.
var plainNow = regexp.MustCompile(`^(CURRENT_TIMESTAMP|NOW)(\(\d?\))?$`)

// defaultClause is a column's default as CREATE TABLE takes it: numbers in
// quotes, as MySQL writes them, expressions in parentheses.
func (d *definition) defaultClause(c *catalog.Column, typ sql.Type) string {
	value, expression := defaultText(c)
	text, _ := value.(string)
	switch {
	case value == nil:
		return "NULL"
	case expression && plainNow.MatchString(text):
		return text
	case expression:
		return "(" + d.quoteColumns(text) + ")"
	case types.IsBit(typ):
		if n, err := strconv.ParseUint(text, 10, 64); err == nil {
			return "b'" + strconv.FormatUint(n, 2) + "'"
		}
	case types.IsNumber(typ):
		return quoteText(text)
	}
	return c.Default
}

func quotedNames(names []string) string { return strings.Join(sql.QuoteIdentifiers(names), ",") }
