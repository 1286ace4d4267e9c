package statement

import (
	"regexp"
	"strings"
)

// idioms are statements that users of other databases type, as patterns of words: a name is a, a number 1, a text '.
// Their meaning is added to the error of a text that can't be parsed.
var idioms = []struct {
	words *regexp.Regexp
	meant string
}{
	{regexp.MustCompile(`^show (collections?|table) *$`), "collections are tables: SHOW TABLES"},
	{regexp.MustCompile(`^show (dbs|database) *$`), "SHOW DATABASES lists them"},
	{regexp.MustCompile(`^db \. `), "statements are SQL: SELECT * FROM a collection, INSERT INTO it, UPDATE it"},
	{regexp.MustCompile(`^create collection `),
		"a collection is a table: CREATE TABLE name (_id VARCHAR(255) PRIMARY KEY, _doc JSON)"},
	{regexp.MustCompile(`^(create|drop|alter) (or replace )?(temporary )?sequence `),
		"sequences of MariaDB are not there; AUTO_INCREMENT is"},
	{regexp.MustCompile(`^select top \d`), "LIMIT at the end is what takes the first rows"},
	{regexp.MustCompile(` = = `), "equality is ="},
	{regexp.MustCompile(` where .* in [a-z_]\w* `), "what an array holds is found by: value MEMBER OF (column)"},
	{regexp.MustCompile(`[a-z_]\w* \[ \d`),
		"elements of arrays are rows of their own table, or _doc->'$.items[0].sku'"},
	{regexp.MustCompile(`^(create|alter|insert|replace) .*[(,] [a-z_]\w* \. [a-z_]`),
		"a keypath is written in backquotes: `customer.name`"},
}

// maxLooked bounds the text that is looked at, in bytes.
const maxLooked = 4096

// Elsewhere is the probable meaning of a text that can't be parsed, if it is an idiom of other databases or has a
// quote without an end; else empty.
func Elsewhere(query string) string {
	if len(query) > maxLooked {
		return ""
	}
	var words strings.Builder
	for _, t := range Tokenize(query) {
		text := query[t.Start:t.End]
		if q := text[0]; q == '\'' || q == '"' || q == '`' {
			if len(text) == 1 || text[len(text)-1] != q {
				return "the quote " + string(q) + " has no end"
			}
			text = string(q)
		}
		words.WriteString(strings.ToLower(text) + " ")
	}
	for _, i := range idioms {
		if i.words.MatchString(words.String()) {
			return i.meant
		}
	}
	return ""
}
