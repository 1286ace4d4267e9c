package collation

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

var rewrite = flag.Bool("rewrite", false, "write testdata/orders anew")

// nasty are strings about which collations disagree, or that are easily taken
// for one another.
var nasty = []string{
	"", " ", "  ", "a", "A", "a ", "a  ", " a", "aa", "Aa", "AA", "aA", "ab", "AB", "b", "B", "z", "Z", "zz", "a\x00",
	"\x00", "\x00a", "a\x00b", "a\tb", "a\nb",
	"á", "Á", "a\u0301", "à", "ä", "Ä", "a\u0308", "æ", "Æ", "ae", "AE", "å", "Å", "a\u030a", "\u212b", "ā", "ą",
	"c", "C", "č", "ç", "ch", "Ch", "CH", "cH", "cz", "d", "ď", "đ", "dz", "dž", "ǆ", "dzs", "h", "hz", "i", "I", "ı", "İ",
	"i\u0307", "í", "ij", "ĳ",
	"l", "L", "ľ", "ł", "lj", "ll", "LL", "lz", "n", "ñ", "n\u0303", "nj", "ny", "ny ", "o", "ö", "ő", "ø", "ó", "oe", "œ",
	"r", "ř", "rz",
	"s", "ſ", "ss", "SS", "ß", "ẞ", "sz", "š", "ş", "strasse", "Straße", "straße", "STRASSE", "straßf", "t", "th", "þ",
	"u", "ü", "ű", "ue", "ú", "v", "w", "y", "Y", "ý", "ž", "ź", "ż",
	"ﬁ", "fi", "ﬀ", "ff", "ﬃ", "coop", "co-op", "CO-OP", "co\u00adop", "co\u200dop", "resume", "résumé", "Resume",
	"RÉSUMÉ", "re\u0301sume\u0301", "côte", "coté", "cote", "côté",
	"\u0301", "\u0308", "\u0301\u0316", "\u0316\u0301", "a\u0301\u0316", "a\u0316\u0301", "\u034f", "\u200b", "\u200d",
	"\ufeff", "\u00ad", "\u2028",
	"😀", "👨", "👨\u200d👩\u200d👧", "👍🏽", "👍", "\u2764\ufe0f", "\u2764", "🇩🇪", "€", "$", "£", "%", "_", "\\", "'", "\"", "-",
	"--", "a-b", "a.b", "a_b", "a%b",
	"0", "1", "01", "10", "2", "１", "①", "¹", "½", "٣", "²", "Ⅷ", "VIII",
	"α", "Α", "ά", "α\u0301", "ς", "σ", "Σ", "ω", "Ω", "Ω", "а", "А", "б", "ё", "е", "й", "и", "и\u0306", "я", "א", "ב",
	"ב\u05b0", "ا", "آ", "ا\u0653", "ب", "ﻻ", "لا",
	"ก", "เก", "แก", "กเ", "ไทย", "क", "क्ष", "कि", "த", "가", "각", "가\u11a8", "ᄀ", "ᄀ\u1161", "ㄱ", "あ", "ア", "ｱ", "ー",
	"カー", "かあ", "が", "か\u3099", "ｶﾞ", "ﾞ",
	"一", "丁", "中", "中国", "中國", "豈", "\uf900", "更", "\u3400", "\U00020000", "〇", "\u0378", "\ue000", "\ufffd", "\ufffe",
	"\uffff", "\U0010ffff", "\U000e0001",
	"d\u017e", "D\u017d", "d\u017a", "s\u017a", "l·l", "l\u0387l", "ŀl", "\u0fb2\u0f71\u0f80", "\u09c7\u09be", "Å\u0301",
	"ǻ",
	shared + "a", shared + "b", shared + "A", shared, shared + "á", longShared + "a", longShared + "b", longShared + "A",
	longShared, longShared + "é", longMarks + "a", longMarks + "b",
}

// Beginnings that are longer than what an index holds of a string.
var (
	shared     = strings.Repeat("Shared ", 40)
	longShared = strings.Repeat("é中", 200)
	longMarks  = "x" + strings.Repeat("\u0301", 300)
)

// ordered are the collations whose order of the nasty strings is written down.
var orderedCollations = []string{
	"utf8mb4_0900_ai_ci", "utf8mb4_0900_as_ci", "utf8mb4_0900_as_cs", "utf8mb4_bin",
	"utf8mb4_cs_0900_ai_ci", "utf8mb4_cs_0900_as_cs", "utf8mb4_da_0900_ai_ci", "utf8mb4_da_0900_as_cs",
	"utf8mb4_de_pb_0900_ai_ci",
	"utf8mb4_es_0900_ai_ci", "utf8mb4_et_0900_ai_ci", "utf8mb4_hr_0900_ai_ci", "utf8mb4_hu_0900_ai_ci",
	"utf8mb4_hu_0900_as_cs",
	"utf8mb4_ja_0900_as_cs", "utf8mb4_lt_0900_ai_ci", "utf8mb4_pl_0900_ai_ci", "utf8mb4_sv_0900_ai_ci",
	"utf8mb4_sv_0900_as_cs",
	"utf8mb4_tr_0900_ai_ci", "utf8mb4_vi_0900_ai_ci",
}

// TestOrders sorts the nasty strings with x/text alone and compares with our
// keys and with testdata/orders, from which the tests over SQL take what they
// expect. A line holds the strings whose sort keys are equal, lines are in order.
func TestOrders(t *testing.T) {
	var all []string
	for _, s := range nasty {
		if !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	var out bytes.Buffer
	for _, name := range orderedCollations {
		c, ok := Lookup(name)
		if !ok {
			t.Fatalf("no collation %s", name)
		}
		key := func(s string) string { return s }
		if !c.IsBinary() {
			ref := newReference(t, c)
			key = func(s string) string { return string(ref.key(s)) }
		}
		slices.SortFunc(all, func(a, b string) int {
			if order := strings.Compare(key(a), key(b)); order != 0 {
				return order
			}
			return strings.Compare(a, b)
		})
		fmt.Fprintf(&out, "collation %s\n", name)
		for i, s := range all {
			switch {
			case i == 0:
			case key(all[i-1]) == key(s):
				out.WriteByte(' ')
			default:
				out.WriteByte('\n')
			}
			out.WriteString(spell(s))
			if i > 0 && c.Compare(all[i-1], s) >= 0 {
				t.Errorf("%s: %+q is not above %+q", name, s, all[i-1])
			}
			if i > 0 && !c.IsIdentity() && c.Equal(all[i-1], s) != (key(all[i-1]) == key(s)) {
				t.Errorf("%s: %+q and %+q: equality is not x/text's", name, all[i-1], s)
			}
		}
		out.WriteString("\n\n")
	}
	const path = "testdata/orders"
	if *rewrite {
		if err := os.WriteFile(path, out.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(out.Bytes(), want) {
		t.Errorf("the order is not that of %s; see the difference with -rewrite", path)
	}
}

// spell writes a string in ASCII. A long beginning is written once: "Shared "*40+"a".
func spell(s string) string {
	for _, long := range []struct {
		piece string
		n     int
		head  string
	}{{"Shared ", 40, ""}, {"é中", 200, ""}, {"\u0301", 300, "x"}} {
		if rest, ok := strings.CutPrefix(s, long.head+strings.Repeat(long.piece, long.n)); ok {
			return fmt.Sprintf("%+q+%+q*%d+%+q", long.head, long.piece, long.n, rest)
		}
	}
	return fmt.Sprintf("%+q", s)
}
