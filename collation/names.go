package collation

import (
	"slices"
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
// doesn't know. Bokmål, Bosnian and Serbian have the order of their neighbours, but
// x/text has the root order under their names. A language that is not here is in the root order.
var languages = map[string]string{
	"croatian": "hr", "czech": "cs", "danish": "da", "esperanto": "eo", "estonian": "et", "german2": "de_pb",
	"hungarian": "hu", "icelandic": "is",
	"latvian": "lv", "lithuanian": "lt", "polish": "pl", "romanian": "ro", "slovak": "sk", "slovenian": "sl",
	"spanish": "es", "spanish2": "es",
	"swedish": "sv", "turkish": "tr", "vietnamese": "vi", "gl": "es", "de": "de_pb", "nb": "nn", "bs": "hr", "sr": "hr",
}

// Nearest is the collation that stands for one of MySQL's: MySQL has hundreds, and
// those that Lookup doesn't know have the order of their language, as far as we have it, and
// distinguish the same strings, about.
func Nearest(name string) *Collation {
	parts := strings.Split(strings.ToLower(name), "_")
	language := parts[1:]
	suffix := "_0900_ai_ci"
	for n := len(language) - 1; n >= 0; n-- {
		switch language[n] {
		case "bin":
			if c, ok := Lookup(name); ok {
				return c
			}
			return mustLookup("utf8mb4_bin")
		case "cs":
			suffix = "_0900_as_cs"
		case "as":
			if suffix != "_0900_as_cs" {
				suffix = "_0900_as_ci"
			}
		case "ai", "ci", "ks":
		default:
			n = 0 // no longer the suffix
			continue
		}
		language = language[:n]
	}
	if c, ok := Lookup(name); ok && !slices.ContainsFunc(language,
		func(part string) bool { return languages[part] != "" && part != "de" }) {
		return c
	}
	for _, part := range language {
		locale, ok := languages[part]
		if !ok {
			locale = part
		}
		for _, s := range []string{suffix, "_0900_ai_ci", "_0900_as_cs"} {
			if c, ok := Lookup("utf8mb4_" + locale + s); ok {
				return c
			}
		}
	}
	return mustLookup("utf8mb4" + suffix)
}
