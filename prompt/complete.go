package prompt

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
)

// names are the names that can be completed, as of the last reading.
type names struct {
	read      time.Time
	of        string // database
	databases []string
	tables    []string
	columns   map[string][]string // by table, in lower case
}

const (
	// fresh is how long names are believed.
	fresh = 30 * time.Second
	// maxNames bounds the columns that are read, and readPatience how long that may take: the person waits.
	maxNames     = 20_000
	readPatience = 2 * time.Second
)

// changed forgets names that a statement may have changed.
func (n *names) changed(text string) {
	switch firstWord(text) {
	case "CREATE", "DROP", "ALTER", "RENAME", "INSERT", "UPDATE", "REPLACE", "LOAD", "USE":
		n.read = time.Time{}
	}
}

// known are the names of the current database.
func (s *shell) known(ctx context.Context) *names {
	n := &s.names
	if time.Since(n.read) < fresh && n.of == s.database {
		return n
	}
	db, err := s.another()
	if err != nil {
		return n
	}
	ctx, cancel := context.WithTimeout(ctx, readPatience)
	defer cancel()
	found := names{read: time.Now(), of: s.database, columns: map[string][]string{}}
	each := func(query string, take func(a, b string), args ...any) {
		rows, err := db.QueryContext(ctx, query, args...)
		if err != nil {
			return
		}
		defer rows.Close()
		var a, b string
		for rows.Next() {
			if rows.Scan(&a, &b) == nil {
				take(a, b)
			}
		}
	}
	each("SELECT SCHEMA_NAME, '' FROM information_schema.SCHEMATA",
		func(a, _ string) { found.databases = append(found.databases, a) })
	each("SELECT TABLE_NAME, '' FROM information_schema.TABLES WHERE TABLE_SCHEMA = ?",
		func(a, _ string) { found.tables = append(found.tables, a) }, s.database)
	columns := "SELECT TABLE_NAME, COLUMN_NAME FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = ? LIMIT ?"
	each(columns, func(a, b string) {
		a = strings.ToLower(a)
		found.columns[a] = append(found.columns[a], b)
	}, s.database, maxNames)
	*n = found
	return n
}

// complete finds the completions of the word before the cursor; before is the text of earlier lines, and after the
// text behind the cursor. The head is the line up to that word.
func (s *shell) complete(ctx context.Context, before, line, after string) (head string, list []string) {
	at := wordStart(line)
	head, word := line[:at], line[at:]
	if strings.HasPrefix(strings.TrimSpace(line), `\`) && strings.TrimSpace(before) == "" {
		return s.completeCommand(ctx, line)
	}
	return head, s.known(ctx).candidates(before+head, word, before+line+after)
}

func (s *shell) completeCommand(ctx context.Context, line string) (head string, list []string) {
	name, rest, ok := strings.Cut(line, " ")
	if !ok {
		for _, c := range commands() {
			list = append(list, beginning(c.names, line)...)
		}
		return "", list
	}
	head = name + " "
	switch name {
	case `\d`:
		return head, beginning(s.known(ctx).tables, rest)
	case `\u`:
		return head, beginning(s.known(ctx).databases, rest)
	case `\f`:
		return head, beginning(Formats(), rest)
	}
	return head, nil
}

// wordStart is where the name before the cursor begins: a word with its dots, or a name that a backquote has begun.
func wordStart(line string) int {
	quoted := -1
	for pos := 0; ; {
		t := statement.NextToken(line, pos)
		if t.Kind == statement.TokenEnd {
			break
		}
		if t.Kind == statement.TokenQuoted && t.End == len(line) {
			quoted = t.Start
		}
		pos = t.End
	}
	if quoted >= 0 {
		return quoted
	}
	at := len(line)
	for at > 0 && (statement.IsNameByte(line[at-1]) || line[at-1] == '.' || line[at-1] == '`') {
		at--
	}
	return at
}

// candidates are the completions of a word behind the text before it; whole is the statement.
func (n *names) candidates(before, word, whole string) []string {
	previous := lastWords(before)
	switch previous {
	case "FROM", "JOIN", "INTO", "UPDATE", "TABLE", "DESCRIBE", "DESC":
		return n.qualified(word, slices.Concat(quotedAll(n.tables), quotedAll(n.databases)))
	case "USE", "DATABASE", "SCHEMA":
		return beginning(quotedAll(n.databases), word)
	}
	used, aliases := n.tablesOf(whole)
	if table, _, ok := strings.Cut(word, "."); ok && !strings.HasPrefix(word, "`") {
		if of := aliases[strings.ToLower(table)]; of != "" {
			var list []string
			for _, c := range n.columns[of] {
				list = append(list, table+"."+quotedIfNeeded(c))
			}
			return n.qualified(word, list)
		}
	}
	var columns []string
	if len(used) == 0 {
		used = n.lowerTables()
	}
	for _, t := range used {
		columns = append(columns, quotedAll(n.columns[t])...)
	}
	list := n.qualified(word, columns)
	if word != "" {
		list = append(list, n.qualified(word, quotedAll(n.tables))...)
		list = append(list, likeTyped(word, keywords)...)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// qualified are names that begin with a word; one with dots may be a keypath that is still to be put in backquotes.
func (n *names) qualified(word string, all []string) []string {
	list := beginning(all, word)
	if !strings.HasPrefix(word, "`") && word != "" {
		list = append(list, beginning(all, "`"+word)...)
	}
	return list
}

// lastWords is the word before the cursor's, in capitals.
func lastWords(before string) string {
	tokens := statement.Tokenize(before)
	if len(tokens) == 0 {
		return ""
	}
	t := tokens[len(tokens)-1]
	return strings.ToUpper(before[t.Start:t.End])
}

// tablesOf are the tables that a statement names, in lower case, and the tables by their aliases.
func (n *names) tablesOf(text string) (used []string, aliases map[string]string) {
	aliases = map[string]string{}
	tokens := statement.Tokenize(text)
	for i := 0; i+1 < len(tokens); i++ {
		word := strings.ToUpper(text[tokens[i].Start:tokens[i].End])
		if word != "FROM" && word != "JOIN" && word != "UPDATE" && word != "INTO" && word != "," {
			continue
		}
		name, ok := statement.UnquotedName(text, tokens[i+1])
		table := strings.ToLower(name)
		if !ok || n.columns[table] == nil {
			continue
		}
		used = append(used, table)
		aliases[table] = table
		next := i + 2
		if next < len(tokens) && tokens[next].Is(text, "AS") {
			next++
		}
		if next < len(tokens) {
			if alias, ok := statement.UnquotedName(text, tokens[next]); ok {
				aliases[strings.ToLower(alias)] = table
			}
		}
	}
	return used, aliases
}

func (n *names) lowerTables() []string {
	out := make([]string, len(n.tables))
	for i, t := range n.tables {
		out[i] = strings.ToLower(t)
	}
	return out
}

// beginning are the names that begin with a text, in any case.
func beginning(all []string, text string) []string {
	var found []string
	for _, name := range all {
		if len(name) >= len(text) && strings.EqualFold(name[:len(text)], text) {
			found = append(found, name)
		}
	}
	return found
}

// likeTyped are keywords as the person types them, in capitals or not.
func likeTyped(word string, all []string) []string {
	list := beginning(all, word)
	if word == strings.ToLower(word) {
		for i := range list {
			list[i] = strings.ToLower(list[i])
		}
	}
	return list
}

// quotedIfNeeded puts a name into backquotes where SQL needs them.
func quotedIfNeeded(name string) string {
	for i := range len(name) {
		if !statement.IsNameByte(name[i]) {
			return quoteName(name)
		}
	}
	word := strings.ToUpper(name)
	if name == "" || slices.Contains(keywords, word) && !slices.Contains(alsoNames, word) {
		return quoteName(name)
	}
	return name
}

func quotedAll(names []string) []string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = quotedIfNeeded(n)
	}
	return out
}

// keywords are the words that completion offers.
var keywords = strings.Fields(`
ADD ALL ALTER ANALYZE AND AS ASC AUTO_INCREMENT BEGIN BETWEEN BY CASE CAST CHANGE CHARACTER CHECK COLLATE
COLUMN COMMIT CONSTRAINT COUNT CREATE CROSS DATABASE DATABASES DECIMAL DEFAULT DELETE DESC DESCRIBE
DISTINCT DROP ELSE END ESCAPE EXISTS EXPLAIN FALSE FOREIGN FORMAT FROM FULL GROUP GROUP_CONCAT HAVING IF
IGNORE IN INDEX INNER INSERT INTERVAL INTO IS JOIN JSON JSON_ARRAYAGG JSON_CONTAINS JSON_EXTRACT
JSON_LENGTH JSON_OBJECT JSON_OVERLAPS JSON_REMOVE JSON_SET JSON_TABLE JSON_UNQUOTE JSON_VALUE KEY KILL
LATERAL LEFT LIKE LIMIT LOAD MATCH MAX MEMBER MIN MODIFY NATURAL NOT NULL OFFSET ON OR ORDER OUTER OVER
PARTITION PREPARE PRIMARY PROCESSLIST RECURSIVE REFERENCES REGEXP RENAME REPLACE RIGHT ROLLBACK SELECT
SESSION SET SHOW START STATUS STRAIGHT_JOIN SUM TABLE TABLES TEMPORARY THEN TRANSACTION TREE TRUE
TRUNCATE UNION UNIQUE UNSIGNED UPDATE USE USING VALUES VARCHAR VARIABLES VIEW WARNINGS WHEN WHERE WINDOW
WITH`)

// alsoNames are the keywords that may be names without backquotes.
var alsoNames = strings.Fields(`
AUTO_INCREMENT BEGIN COMMIT COUNT END ESCAPE FORMAT FULL GROUP_CONCAT JSON JSON_ARRAYAGG JSON_CONTAINS
JSON_EXTRACT JSON_LENGTH JSON_OBJECT JSON_OVERLAPS JSON_REMOVE JSON_SET JSON_UNQUOTE JSON_VALUE MAX
MEMBER MIN MODIFY OFFSET PREPARE PROCESSLIST ROLLBACK SESSION START STATUS SUM TABLES TEMPORARY
TRANSACTION TREE TRUNCATE VARIABLES VIEW WARNINGS`)
