// Package systemschema knows the tables of MySQL's system databases: their names and columns, from text files. It knows
// no rows and no engine.
package systemschema

import (
	_ "embed"
	"strings"
	"sync"
)

// Table is a table of a system database.
type Table struct {
	Database, Name string
	Columns        []Column
}

// Column is one of its columns; Type is as SQL writes it.
type Column struct {
	Name, Type    string
	Nullable, Key bool
}

var (
	//go:embed mysql.txt
	mysqlText string
	//go:embed performance_schema.txt
	performanceText string
	//go:embed sys.txt
	sysText string
	//go:embed zones.txt
	zonesText string
)

var tables = sync.OnceValue(func() map[string][]*Table {
	return map[string][]*Table{
		"mysql":              parse("mysql", mysqlText),
		"performance_schema": parse("performance_schema", performanceText),
		"sys":                parse("sys", sysText),
	}
})

// Databases are the system databases, sorted.
func Databases() []string { return []string{"mysql", "performance_schema", "sys"} }

// Is finds a system database by name, ignoring case, and returns its name; it is "" if there is none.
func Is(database string) string {
	for _, name := range Databases() {
		if strings.EqualFold(name, database) {
			return name
		}
	}
	return ""
}

// Tables are those of a database, sorted by name.
func Tables(database string) []*Table { return tables()[database] }

// Find finds a table of a database by name, ignoring case; nil if there is none.
func Find(database, name string) *Table {
	for _, t := range tables()[database] {
		if strings.EqualFold(t.Name, name) {
			return t
		}
	}
	return nil
}

// Zones are the names of time zones.
func Zones() []string {
	_, names, _ := strings.Cut(zonesText, "\n") // behind the comment
	return strings.Fields(names)
}

// parse reads tables: a line with the name, then lines that begin with a tab. Those have names of columns, with * if
// they are of the key, and their type, with ! if it takes no NULL. `a = b` gives a table the columns of one before it.
func parse(database, text string) []*Table {
	var out []*Table
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		name, of, same := strings.Cut(line, " = ")
		switch {
		case line == "" || line[0] == '#':
		case same:
			for _, t := range out {
				if t.Name == of {
					out = append(out, &Table{Database: database, Name: name, Columns: t.Columns})
				}
			}
		case line[0] != '\t':
			out = append(out, &Table{Database: database, Name: line})
		default:
			t := out[len(out)-1]
			t.Columns = append(t.Columns, parseColumns(line)...)
		}
	}
	return out
}

// typeWords are the words that types begin with.
var typeWords = map[string]bool{
	"char": true, "varchar": true, "int": true, "bigint": true, "smallint": true, "tinyint": true, "float": true,
	"double": true, "decimal": true, "text": true, "mediumtext": true, "longtext": true, "blob": true,
	"mediumblob": true, "longblob": true, "datetime": true, "timestamp": true, "time": true, "enum": true, "set": true,
	"json": true,
}

func parseColumns(line string) []Column {
	words := strings.Fields(line)
	from := len(words) - 1
	for ; from > 0; from-- {
		if word, _, _ := strings.Cut(strings.TrimSuffix(words[from], "!"), "("); typeWords[word] {
			break
		}
	}
	text, required := strings.CutSuffix(strings.Join(words[from:], " "), "!")
	var out []Column
	for _, name := range words[:from] {
		name, key := strings.CutSuffix(name, "*")
		out = append(out, Column{Name: name, Type: text, Nullable: !required, Key: key})
	}
	return out
}
