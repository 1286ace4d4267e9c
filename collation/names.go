package collation

import "sync"

// locales maps the language part of MySQL's collation names to the locale
// whose tailoring x/text has. German needs none but phone-book order; a
// language that x/text doesn't tailor is left out rather than sorted wrongly.
var locales = []struct{ mysql, tag string }{
	{"bs", "bs"},
	{"cs", "cs"},
	{"da", "da"},
	{"de_pb", "de-u-co-phonebk"},
	{"eo", "eo"},
	{"es", "es"},
	{"et", "et"},
	{"hr", "hr"},
	{"hu", "hu"},
	{"is", "is"},
	{"lt", "lt"},
	{"lv", "lv"},
	{"nb", "nb"},
	{"nn", "nn"},
	{"pl", "pl"},
	{"ro", "ro"},
	{"ru", "ru"},
	{"sk", "sk"},
	{"sl", "sl"},
	{"sr_latn", "sr-Latn"},
	{"sv", "sv"},
	{"tr", "tr"},
	{"vi", "vi"},
}

// collations is the table of all collations by name.
var collations = sync.OnceValue(func() map[string]*Collation {
	all := make(map[string]*Collation)
	add := func(name, locale string, s strength) {
		c := &Collation{name: name, locale: locale, strength: s}
		switch locale {
		case "cs", "da", "hr", "hu", "nn", "sk":
		case "", "bs", "de-u-co-phonebk", "ja", "nb", "ru", "sr-Latn":
			c.fastASCII, c.fixedASCII = true, true
		default:
			c.fastASCII = true
		}
		all[name] = c
	}
	add("binary", "", byBytes)
	add("utf8mb4_bin", "", byBytes)
	add("utf8mb4_0900_bin", "", byBytes)
	add("utf8mb4_0900_ai_ci", "", primary)
	add("utf8mb4_0900_as_ci", "", secondary)
	add("utf8mb4_0900_as_cs", "", tertiary)
	for _, l := range locales {
		add("utf8mb4_"+l.mysql+"_0900_ai_ci", l.tag, primary)
		add("utf8mb4_"+l.mysql+"_0900_as_cs", l.tag, tertiary)
	}
	add("utf8mb4_ja_0900_as_cs", "ja", tertiary)
	return all
})

func mustLookup(name string) *Collation {
	return collations()[name]
}
