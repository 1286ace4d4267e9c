package collation

import (
	"strings"
	"sync"
)

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

// languages are the parts of MySQL's names that say which language a collation
// is for, with the locale of ours that orders as it does, or nearest to it. Galician has
// Spanish's one letter more; Spanish in the traditional order has ch and ll as letters, which x/text
// doesn't know. A language that is not here is in the root order.
var languages = map[string]string{
	"croatian": "hr", "czech": "cs", "danish": "da", "esperanto": "eo", "estonian": "et", "german2": "de_pb", "hungarian": "hu", "icelandic": "is",
	"latvian": "lv", "lithuanian": "lt", "polish": "pl", "romanian": "ro", "slovak": "sk", "slovenian": "sl", "spanish": "es", "spanish2": "es",
	"swedish": "sv", "turkish": "tr", "vietnamese": "vi", "gl": "es", "de": "de_pb", "sr": "sr_latn",
}

// Nearest is the collation that stands for one of MySQL's: MySQL has hundreds, and
// those that Lookup doesn't know have the order of their language, as far as we have it, and
// tell the same strings apart, about.
func Nearest(name string) *Collation {
	if c, ok := Lookup(name); ok {
		return c
	}
	parts := strings.Split(strings.ToLower(name), "_")
	suffix := "_0900_ai_ci"
	for _, part := range parts {
		switch part {
		case "bin", "binary":
			return mustLookup("utf8mb4_bin")
		case "cs":
			if parts[len(parts)-1] != "ci" { // not the language
				suffix = "_0900_as_cs"
			}
		}
	}
	if strings.HasSuffix(strings.ToLower(name), "_as_ci") {
		suffix = "_0900_as_ci"
	}
	for _, part := range parts[1:] {
		locale, ok := languages[part]
		if !ok {
			locale = part
		}
		for _, s := range []string{suffix, "_0900_as_cs"} {
			if c, ok := Lookup("utf8mb4_" + locale + s); ok {
				return c
			}
		}
	}
	return mustLookup("utf8mb4" + suffix)
}
