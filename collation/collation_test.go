package collation

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/collate"
	"golang.org/x/text/language"
	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"
)

// reference is x/text alone: its uncompressed key of the strength that MySQL's name asks for.
type reference struct {
	collator *collate.Collator
	buffer   collate.Buffer
}

func newReference(t testing.TB, c *Collation) *reference {
	t.Helper()
	locale := c.locale
	if locale == "" {
		locale = "und"
	}
	if c.strength < tertiary {
		if !strings.Contains(locale, "-u-") {
			locale += "-u"
		}
		locale += fmt.Sprintf("-ks-level%d", c.strength)
	}
	tag, err := language.Parse(locale)
	if err != nil {
		t.Fatalf("locale %s: %v", locale, err)
	}
	return &reference{collator: collate.New(tag)}
}

func (r *reference) key(s string) []byte {
	if !utf8.ValidString(s) {
		s = string([]rune(s))
	}
	r.buffer.Reset()
	return bytes.Clone(r.collator.KeyFromString(&r.buffer, s))
}

// pieces are what the order depends on in uncommon ways: contractions,
// expansions, ignorable characters, marks in and out of normal order, digits of other
// scripts, characters outside the BMP, and bytes that are no UTF-8.
var pieces = []string{
	"a", "b", "z", "A", "B", "Z", "0", "9", " ", "-", ".", "$", "_", "~", "\x00", "\x01", "\x1f", "\x7f", "\t", "\n",
	"ch", "Ch", "CH", "aa", "dz", "dzs", "ll", "lj", "nj", "l·", "L\u0387", "ij", "æ", "œ", "ß", "ẞ", "ſ", "ı", "İ",
	"i\u0307",
	"e\u0301", "é", "É", "å", "A\u030a", "ä", "ö", "ø", "ü", "ñ", "ç", "ć", "č", "š", "ž", "đ", "ð", "þ",
	"\u0301", "\u0316", "\u0327", "\u0334", "\u0345", "\u0360", "\u034f", "\u200d", "\u200b", "\u00ad", "\ufeff",
	"и\u0306", "й", "я", "Я", "ё", "α", "ά", "Ω", "ω", "א", "ב\u05b0", "ا", "آ", "ا\u0653", "لا",
	"ก", "เก", "แ", "ກ", "ເກ", "क", "क्ष", "ि", "த", "\u0dd9\u0dcf", "\u0fb2\u0f71\u0f80", "\u0fd9", "\u09c7\u09be",
	"한", "ᄒ", "ᅡ", "ᆫ", "あ", "ア", "ー", "カ", "が", "か\u3099", "ｶ", "ﾞ", "中", "国", "豈", "\U00020000", "〇", "一",
	"１", "²", "½", "٣", "Ⅷ", "①", "ﬁ", "㎏", "Å", "℃", "€", "£", "😀", "👨\u200d👩", "\U0010ffff", "\ufffe", "\uffff",
	"\ufffd",
	"\xff", "\xc3", "\xe2\x82", "\xed\xa0\x80", "\xf0\x9f",
}

func genString() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		switch rapid.IntRange(0, 9).Draw(t, "form") {
		case 0:
			return rapid.String().Draw(t, "any")
		case 1:
			return string(rapid.SliceOfN(rapid.Byte(), 0, 12).Draw(t, "bytes"))
		case 2:
			return rapid.StringMatching(`[a-zA-Z0-9 ]{0,12}`).Draw(t, "ascii")
		case 3: // runs about the length that takes another byte
			n := rapid.IntRange(45, 100).Draw(t, "run")
			return strings.Repeat("a", n) + rapid.SampledFrom(pieces).Draw(t, "then") + strings.Repeat("a",
				rapid.IntRange(0, 100).Draw(t, "more"))
		default:
			return strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 8).Draw(t, "pieces"), "")
		}
	})
}

// genPair draws two strings that often differ late or not at all.
func genPair(t *rapid.T) (string, string) {
	a := genString().Draw(t, "a")
	switch rapid.IntRange(0, 5).Draw(t, "relation") {
	case 0:
		return a, strings.ToUpper(a)
	case 1:
		return a, a + rapid.SampledFrom(pieces).Draw(t, "tail")
	case 2:
		cut := rapid.IntRange(0, len(a)).Draw(t, "cut")
		return a, a[:cut] + rapid.SampledFrom(pieces).Draw(t, "middle") + a[cut:]
	case 3:
		p := genString().Draw(t, "prefix")
		return p + a, p + genString().Draw(t, "b")
	default:
		return a, genString().Draw(t, "b")
	}
}

func TestKeysOrderAsReference(t *testing.T) {
	for name, c := range collations() {
		if c.IsBinary() {
			continue
		}
		t.Run(name, func(t *testing.T) {
			ref := newReference(t, c)
			rapid.Check(t, func(t *rapid.T) {
				a, b := genPair(t)
				want := bytes.Compare(ref.key(a), ref.key(b))
				ka, kb := c.AppendKey(nil, a), c.AppendKey(nil, b)
				if got := bytes.Compare(ka, kb); got != want {
					t.Fatalf("keys of %+q and %+q compare %d, x/text's %d\n% x\n% x\n% x\n% x", a, b, got, want, ka, kb, ref.key(a),
						ref.key(b))
				}
				if got := c.CompareKeys(a, b); got != want {
					t.Fatalf("CompareKeys(%+q, %+q) = %d, want %d", a, b, got, want)
				}
				total := want
				if total == 0 {
					total = strings.Compare(a, b)
				}
				if got := c.Compare(a, b); got != total {
					t.Fatalf("Compare(%+q, %+q) = %d, want %d", a, b, got, total)
				}
				withIdentity := func(k []byte, s string) []byte { return append(append(k, Terminator), s...) }
				if got := bytes.Compare(withIdentity(ka, a), withIdentity(kb, b)); got != total {
					t.Fatalf("keys with identity of %+q and %+q compare %d, want %d", a, b, got, total)
				}
				equal := a == b || !c.IsIdentity() && want == 0
				if got := c.Equal(a, b); got != equal {
					t.Fatalf("Equal(%+q, %+q) = %v, want %v", a, b, got, equal)
				}
			})
		})
	}
}

// TestASCII compares the order of all strings of up to two ASCII characters,
// and many of three, with x/text's.
func TestASCII(t *testing.T) {
	for _, name := range []string{"utf8mb4_0900_as_cs", "utf8mb4_0900_ai_ci"} {
		c, _ := Lookup(name)
		ref := newReference(t, c)
		type pair struct {
			s         string
			key, want []byte
		}
		var all []pair
		add := func(s string) {
			all = append(all, pair{s, c.AppendKey(nil, s), ref.key(s)})
			e := c.encoder()
			if slow := e.appendElementsOnly(s); !bytes.Equal(slow, all[len(all)-1].key) {
				t.Fatalf("%s: key of %+q is % x, through x/text % x", name, s, all[len(all)-1].key, slow)
			}
		}
		add("")
		for i := range 128 {
			add(string(rune(i)))
			for j := range 128 {
				add(string([]rune{rune(i), rune(j)}))
			}
		}
		letters := "abcdhijlnstzABCHJLNSZ019 .-_'$\x00\t"
		for _, x := range letters {
			for _, y := range letters {
				for _, z := range letters {
					add(string([]rune{x, y, z}))
				}
			}
		}
		slices.SortFunc(all, func(a, b pair) int { return bytes.Compare(a.want, b.want) })
		for i := 1; i < len(all); i++ {
			a, b := all[i-1], all[i]
			if got, want := bytes.Compare(a.key, b.key), bytes.Compare(a.want, b.want); got != want {
				t.Fatalf("%s: keys of %+q and %+q compare %d, x/text's %d", name, a.s, b.s, got, want)
			}
		}
	}
}

// appendElementsOnly makes the key without the table of ASCII characters and
// in one segment.
func (e *encoder) appendElementsOnly(s string) []byte {
	e.reset()
	dst := e.appendElements(nil, s)
	return e.appendLevels(dst)
}

func TestSegments(t *testing.T) {
	cs := []*Collation{Default}
	for _, name := range []string{"utf8mb4_hu_0900_as_cs", "utf8mb4_ja_0900_as_cs", "utf8mb4_hr_0900_ai_ci"} {
		c, _ := Lookup(name)
		cs = append(cs, c)
	}
	rapid.Check(t, func(t *rapid.T) {
		c := rapid.SampledFrom(cs).Draw(t, "collation")
		part := rapid.OneOf(genString(), rapid.SampledFrom(pieces))
		s := strings.Join(rapid.SliceOfN(part, 1, 12).Draw(t, "parts"), "")
		s = strings.Repeat(s, rapid.SampledFrom([]int{1, 1, 1, 2, 30}).Draw(t, "times"))
		if rapid.Bool().Draw(t, "long") {
			// The end of a long segment falls somewhere between the pieces.
			s = strings.Repeat("é", rapid.IntRange(490, longSegment/2).Draw(t, "padding")) + s
		}
		key := c.AppendKey(nil, s)
		valid := s
		if !utf8.ValidString(s) {
			valid = string([]rune(s))
		}
		if whole := c.encoder().appendElementsOnly(valid); !bytes.Equal(key, whole) {
			t.Fatalf("key of %+q in segments\n% x\nin one\n% x", s, key, whole)
		}
	})
}

// TestLongSegments: a long segment never ends within what belongs together.
func TestLongSegments(t *testing.T) {
	ja, _ := Lookup("utf8mb4_ja_0900_as_cs")
	for _, c := range []*Collation{Default, ja} {
		for _, together := range []string{"и\u0306", "เก", "カー", "か\u3099", "ｶﾞ", "\u0fb2\u0f71\u0f80", "\u09c7\u09be",
			"а\u0301\u0316", "ᄒ\u1161"} {
			for padding := 500; padding <= longSegment/2; padding++ {
				s := strings.Repeat("é", padding) + strings.Repeat(together, 12) + "中" + together
				if key, whole := c.AppendKey(nil, s), c.encoder().appendElementsOnly(s); !bytes.Equal(key, whole) {
					t.Fatalf("%s: %+q behind %d characters: key in segments\n% x\nin one\n% x", c, together, padding, key, whole)
				}
			}
		}
	}
}

func TestPrimaryCodes(t *testing.T) {
	var previous []byte
	for w := 1; w <= maxPrimary; w++ {
		code := appendPrimary(nil, w)
		if bytes.Compare(previous, code) >= 0 {
			t.Fatalf("code of %x is % x, not above % x", w, code, previous)
		}
		if bytes.HasPrefix(code, previous) && previous != nil {
			t.Fatalf("code % x is a prefix of % x", previous, code)
		}
		if int(codes.size[code[0]]) != len(code) || code[0] < firstCode {
			t.Fatalf("code of %x is % x: its first byte says %d bytes", w, code, codes.size[code[0]])
		}
		previous = append(previous[:0], code...)
	}
}

// TestLevels compares the compressed form of sequences of weights with the
// sequences themselves, under the condition that makes it sound.
func TestLevels(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		common := rapid.SampledFrom([]int{commonSecondary, commonTertiary}).Draw(t, "common")
		expected := rapid.SampledFrom([]int{0, 1, 3, 47, 48, 49, 96, 97, 150}).Draw(t, "expected")
		draw := func(label string) (weights []int, out []byte) {
			runs := rapid.SliceOfN(rapid.SampledFrom([]int{0, 1, 2, 47, 48, 49, 95, 96, 97, 98}), 0, 4).Draw(t, label)
			for i, n := range runs {
				if i > 0 {
					w := rapid.SampledFrom([]int{1, 2, 6, 0x7f, 0x80, 0x81, 0x82, 0x300, 0xfff - common}).Draw(t, "weight")
					weights = append(weights, common+w)
				}
				for range n {
					weights = append(weights, common)
				}
			}
			for len(weights) < expected {
				weights = append(weights, common)
			}
			var l level
			l.reset(common)
			for _, w := range weights {
				l.add(w)
			}
			l.end(expected)
			return weights, l.out
		}
		a, ea := draw("a")
		b, eb := draw("b")
		want := compareInts(a, b)
		for _, end := range []byte{Terminator, separator} {
			if got := bytes.Compare(append(ea[:len(ea):len(ea)], end), append(eb[:len(eb):len(eb)], end)); got != want {
				t.Fatalf("%x and %x compare %d, as % x and % x %d", a, b, want, ea, eb, got)
			}
		}
	})
}

func compareInts(a, b []int) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			if a[i] < b[i] {
				return -1
			}
			return 1
		}
	}
	return min(1, max(-1, len(a)-len(b)))
}

func TestKeyPrefix(t *testing.T) {
	var some []*Collation
	for _, name := range []string{"utf8mb4_0900_as_cs", "utf8mb4_0900_ai_ci", "utf8mb4_cs_0900_as_cs", "utf8mb4_bin"} {
		c, ok := Lookup(name)
		if !ok {
			t.Fatalf("no %s", name)
		}
		some = append(some, c)
	}
	rapid.Check(t, func(t *rapid.T) {
		c := rapid.SampledFrom(some).Draw(t, "collation")
		s := strings.Repeat(genString().Draw(t, "s"), rapid.IntRange(1, 20).Draw(t, "times"))
		key := c.AppendKey(nil, s)
		limit := rapid.IntRange(0, len(key)+2).Draw(t, "limit")
		got, truncated := c.AppendKeyPrefix([]byte("x"), s, limit)
		if want := key[:min(limit, len(key))]; !bytes.Equal(got[1:], want) || truncated != (len(key) > limit) {
			t.Fatalf("the first %d bytes of the key of %+q: % x %v, want % x", limit, s, got[1:], truncated, want)
		}
	})
}

func TestLookup(t *testing.T) {
	for _, name := range []string{"utf8mb4_0900_as_cs", "UTF8MB4_0900_AS_CS", "utf8mb4_sv_0900_as_cs", "binary",
		"utf8mb4_bin"} {
		if c, ok := Lookup(name); !ok || c.Name() != strings.ToLower(name) {
			t.Errorf("Lookup(%q) = %v, %v", name, c, ok)
		}
	}
	if c, ok := Lookup("klingon"); ok {
		t.Errorf("Lookup(klingon) = %v", c)
	}
	if Default == nil || Binary == nil || !Binary.IsBinary() || Default.IsBinary() || !Default.IsIdentity() {
		t.Error("Default or Binary is wrong")
	}
}

// TestVersion fails when x/text's tables change: stored keys are of this
// version, and the form of keys rests on facts about these tables.
func TestVersion(t *testing.T) {
	if got, want := Default.Version(), "UCA 6.2.0 CLDR 23 key 1"; got != want {
		t.Errorf("version %q, want %q", got, want)
	}
}

func TestLocalesAreTailored(t *testing.T) {
	for _, test := range []struct{ collation, less, more string }{
		{"utf8mb4_sv_0900_as_cs", "z", "ä"},
		{"utf8mb4_sv_0900_as_cs", "å", "ä"},
		{"utf8mb4_0900_as_cs", "ä", "z"},
		{"utf8mb4_cs_0900_as_cs", "hz", "ch"},
		{"utf8mb4_de_pb_0900_as_cs", "ä", "af"},
		{"utf8mb4_da_0900_as_cs", "z", "aa"},
	} {
		c, ok := Lookup(test.collation)
		if !ok || c.Compare(test.less, test.more) >= 0 {
			t.Errorf("%s: %q is not below %q", test.collation, test.less, test.more)
		}
	}
	ci, _ := Lookup("utf8mb4_0900_ai_ci")
	if !ci.Equal("Éclair", "ECLAIR") || Default.Equal("a", "A") || ci.Compare("a", "A") == 0 {
		t.Error("equality of _ai_ci or _as_cs is wrong")
	}
}

func TestConcurrentUse(t *testing.T) {
	words := []string{"apple", "Äpfel", "中国", "l·l", "e\u0301", "\xff", "zebra Zebra"}
	c, _ := Lookup("utf8mb4_hr_0900_as_cs") // not prepared yet
	var want [][]byte
	fresh := newReference(t, c)
	for _, w := range words {
		want = append(want, fresh.key(w))
	}
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for i := range 2000 {
				j, k := (i+g)%len(words), (i*7+g)%len(words)
				if got := bytes.Compare(c.AppendKey(nil, words[j]), c.AppendKey(nil, words[k])); got != bytes.Compare(want[j],
					want[k]) {
					t.Errorf("%q and %q compare %d", words[j], words[k], got)
					return
				}
			}
		})
	}
	wg.Wait()
}

func BenchmarkAppendKey(b *testing.B) {
	for _, test := range []struct{ name, s string }{
		{"ascii20", "hello world of keys!"},
		{"title20", "Hello World of Keys!"},
		{"hex24", "4f3a9c0d1e2b5a6978c0d1e2"},
		{"accents20", "déjà vu à la façade"},
		{"cjk10", "中国人民解放军总医"},
		{"ascii100k", strings.Repeat("hello world of keys!", 5000)},
	} {
		b.Run(test.name, func(b *testing.B) {
			var dst []byte
			b.ReportAllocs()
			for b.Loop() {
				dst, _ = Default.AppendKeyPrefix(dst[:0], test.s, 256)
			}
		})
	}
}

func BenchmarkCompare(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		Default.Compare("hello world of keys!", "hello world of Keys?")
	}
}

// TestWeightsAllowCompression checks on every character, alone and taken
// apart, what the form of the keys rests on: no weight is below the level's common one,
// and no level has fewer weights than the one above it.
func TestWeightsAllowCompression(t *testing.T) {
	for name, c := range collations() {
		if c.strength != tertiary {
			continue
		}
		ref := newReference(t, c)
		check := func(s string) {
			key := ref.key(s)
			p, s2, t3, ok := parseReference(key)
			if !ok || len(s2) < len(p) || len(t3) < len(s2) {
				t.Fatalf("%s: %+q has weights % x", name, s, key)
			}
			for _, w := range p {
				if w > maxPrimary {
					t.Fatalf("%s: %+q has a primary weight %x", name, s, w)
				}
			}
			for _, w := range s2 {
				if w < commonSecondary || w > 0xfff {
					t.Fatalf("%s: %+q has a secondary weight %x", name, s, w)
				}
			}
			for _, w := range t3 {
				if w < commonTertiary || w > 0x1f {
					t.Fatalf("%s: %+q has a tertiary weight %x", name, s, w)
				}
			}
		}
		last := rune(0x30000)
		if c != Default {
			last = 0x2000 // above, all locales but Japanese are alike
		}
		for r := rune(0); r < last; r++ {
			if r >= 0x3400 && r < 0xA000 || r >= 0xAC00 && r < 0xE000 || r > 0x1F6FF && r < 0x2F800 {
				continue // all alike
			}
			check(string(r))
			if d := norm.NFD.String(string(r)); d != string(r) {
				check(d)
			}
		}
		for _, a := range pieces {
			for _, b := range pieces {
				check(a + b)
			}
		}
	}
}

func parseReference(key []byte) (p, s, t []int, ok bool) {
	for len(key) >= 2 && (key[0] != 0 || key[1] != 0) {
		if key[0] < 0x80 {
			p, key = append(p, int(key[0])<<8|int(key[1])), key[2:]
		} else if len(key) >= 3 {
			p, key = append(p, int(key[0]&0x7f)<<16|int(key[1])<<8|int(key[2])), key[3:]
		} else {
			return nil, nil, nil, false
		}
	}
	if len(key) < 2 {
		return nil, nil, nil, false
	}
	for key = key[2:]; len(key) >= 2 && (key[0] != 0 || key[1] != 0); key = key[2:] {
		s = append(s, int(key[0])<<8|int(key[1]))
	}
	if len(key) < 2 {
		return nil, nil, nil, false
	}
	for _, w := range key[2:] {
		t = append(t, int(w))
	}
	return p, s, t, true
}

// TestASCIITable: the claims of fastASCII and fixedASCII about every locale.
func TestASCIITable(t *testing.T) {
	for name, c := range collations() {
		if c.strength != tertiary || !c.fastASCII {
			continue
		}
		c.once.Do(c.prepare)
		e := c.encoder()
		one := func(s string) string { e.reset(); return string(e.appendElements(nil, s)) }
		for a := range 128 {
			alone := one(string(rune(a)))
			for b := range 128 {
				if got, want := one(string([]rune{rune(a), rune(b)})), alone+one(string(rune(b))); got != want {
					t.Fatalf("%s: %+q next to %+q has other weights: % x, not % x", name, rune(a), rune(b), got, want)
				}
			}
			if !c.fixedASCII {
				continue
			}
			last := rune(0x3400)
			if c != Default {
				last = 0x370 // the tailorings that there are concern accents
			}
			for r := rune(0x80); r < last; r++ {
				if got := one(string([]rune{rune(a), r})); !strings.HasPrefix(got, alone) {
					t.Fatalf("%s: %+q before %+q has other weights: % x, not % x", name, rune(a), r, got, alone)
				}
			}
		}
	}
}

func TestCommonPrefix(t *testing.T) {
	var all []*Collation
	for _, c := range collations() {
		all = append(all, c)
	}
	slices.SortFunc(all, func(a, b *Collation) int { return strings.Compare(a.name, b.name) })
	rapid.Check(t, func(t *rapid.T) {
		c := rapid.SampledFrom(all).Draw(t, "collation")
		prefix, rest := genString().Draw(t, "prefix"), genString().Draw(t, "rest")
		common := c.AppendCommonPrefix(nil, prefix)
		if key := c.AppendKey(nil, prefix+rest); !bytes.HasPrefix(key, common) {
			t.Fatalf("%s: the key of %+q+%+q is % x; common to the prefix is % x", c, prefix, rest, key, common)
		}
	})
	for prefix, n := range map[string]int{"a": 1, "Hello W": 7, "Моск": 6, "déjà": 3, "中国人": 6, "x·": 0, "": 0,
		"\xff": 0} {
		if got := Default.AppendCommonPrefix(nil, prefix); len(got) != n {
			t.Errorf("%q: % x, want %d bytes", prefix, got, n)
		}
	}
}
