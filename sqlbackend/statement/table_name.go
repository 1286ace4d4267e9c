package statement

import "strings"

// SplitTableName splits a name of a table, `t` or `db.t`, either part in backquotes or not. The
// database is empty where none is named.
func SplitTableName(name string) (database, table string, ok bool) {
	var parts []string
	for rest := name; ; {
		var part string
		if quoted, is := strings.CutPrefix(rest, "`"); is {
			end := 0
			for end < len(quoted) && (quoted[end] != '`' || strings.HasPrefix(quoted[end+1:], "`")) {
				if quoted[end] == '`' {
					end++
				}
				end++
			}
			if end >= len(quoted) {
				return "", "", false
			}
			part, rest = strings.ReplaceAll(quoted[:end], "``", "`"), quoted[end+1:]
		} else {
			end := strings.IndexByte(rest, '.')
			if end < 0 {
				end = len(rest)
			}
			part, rest = rest[:end], rest[end:]
		}
		parts = append(parts, part)
		if part == "" || len(parts) > 2 {
			return "", "", false
		}
		if rest == "" {
			break
		}
		if rest, ok = strings.CutPrefix(rest, "."); !ok {
			return "", "", false
		}
	}
	if len(parts) == 1 {
		return "", parts[0], true
	}
	return parts[0], parts[1], true
}
