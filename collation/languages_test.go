package collation

import (
	"strings"
	"testing"
)

// documented are the orders of letters that MySQL's manual and CLDR's charts
// give for languages, letters at the first level divided by <, and = between those that
// only accents or case tell apart.
var documented = []struct{ collation, order string }{
	{"utf8mb4_0900_ai_ci",
		"a = ä = å = A < b < c = č = ç < d = đ < e = é < i < ı < l = ł < n = ñ < o = ö = ø < s = š = ſ < t < u = ü < " +
			"y < z = ž"},
	{"utf8mb4_0900_ai_ci", "ss = ß = ẞ < st"},
	{"utf8mb4_0900_ai_ci", "ae = æ = Æ < af"},
	{"utf8mb4_0900_ai_ci", "_ < - < , < ; < : < ! < ? < . < ' < ( < ) < [ < @ < * < / < & < # < % < ` < ^ < + < | " +
		"< ~ < $ < 0 < 9 < a"},
	{"utf8mb4_0900_ai_ci", "z < α < ω < а < я < א < ا < ก < 가 < あ < 一 < 丁"},
	{"utf8mb4_0900_ai_ci", "е = ё < и < й"},
	{"utf8mb4_0900_as_ci", "e = E < é = É < è = È < f"},
	{"utf8mb4_0900_as_cs", "a < A < á < Á < à < b"},
	{"utf8mb4_bs_0900_ai_ci", "c < č < ć < d < dž < đ < e < l < lj < m < n < nj < o < s < š < t < z < ž"},
	{"utf8mb4_cs_0900_ai_ci", "c < č < d < h < ch < i < r < ř < s < š < t < z < ž"},
	{"utf8mb4_da_0900_ai_ci", "y = ü < z < æ = ä < ø = ö < å = aa = AA"},
	{"utf8mb4_da_0900_as_cs", "A < a < B < b"},
	{"utf8mb4_de_pb_0900_ai_ci", "ad < ae = ä < af < oe = ö < of < ue = ü < uf"},
	{"utf8mb4_eo_0900_ai_ci", "c < ĉ < d < g < ĝ < h < ĥ < i < j < ĵ < k < s < ŝ < t < u < ŭ < v"},
	{"utf8mb4_es_0900_ai_ci", "n < ñ < o"},
	{"utf8mb4_et_0900_ai_ci", "s < š < z < ž < t < v < õ < ä < ö < ü < x < y"},
	{"utf8mb4_hr_0900_ai_ci", "c < č < ć < d < dž < đ < e < l < lj < m < n < nj < o < s < š < t < z < ž"},
	{"utf8mb4_hu_0900_ai_ci",
		"a = á < b < c < cs < d < dz < dzs < e = é < g < gy < h < l < ly < m < n < ny < o = ó < ö = ő < p < s < sz < " +
			"t < ty < u = ú < ü = ű < v < z < zs"},
	{"utf8mb4_is_0900_ai_ci",
		"a < á < b < d < ð < e < é < f < i < í < j < o < ó < p < u < ú < v < y < ý < z < þ < æ < ö < å"},
	{"utf8mb4_lt_0900_ai_ci", "c < č < d < i = y < j < s < š < t < z < ž"},
	{"utf8mb4_lv_0900_ai_ci",
		"c < č < d < g < ģ < h < i = y < j < k < ķ < l < ļ < m < n < ņ < o < r < ŗ < s < š < t < z < ž"},
	{"utf8mb4_nb_0900_ai_ci", "y = ü < z < æ = ä < ø = ö < å = aa"},
	{"utf8mb4_nn_0900_ai_ci", "y = ü < z < æ = ä < ø = ö < å = aa"},
	{"utf8mb4_pl_0900_ai_ci", "a < ą < b < c < ć < d < e < ę < f < l < ł < m < n < ń < o < ó < p < s < ś < t < z < ź < ż"},
	{"utf8mb4_ro_0900_ai_ci", "a < ă < â < b < i < î < j < s < ș = ş < t < ț = ţ < u"},
	{"utf8mb4_ru_0900_ai_ci", "е = ё < ж < и < й < к"},
	{"utf8mb4_sk_0900_ai_ci", "a < ä < b < c < č < d < h < ch < i < o < ô < p < s < š < t < z < ž"},
	{"utf8mb4_sl_0900_ai_ci", "c < č < ć < d < đ < e < s < š < t < z < ž"},
	{"utf8mb4_sr_latn_0900_ai_ci", "c < č < ć < d < dž < đ < e < l < lj < m < n < nj < o < s < š < t < z < ž"},
	{"utf8mb4_sv_0900_ai_ci", "v < w < y = ü < z < å < ä = æ < ö = ø"},
	{"utf8mb4_tr_0900_ai_ci", "c < ç < d < g < ğ < h < ı = I < i = İ < j < o < ö < p < s < ş < t < u < ü < v"},
	{"utf8mb4_vi_0900_ai_ci", "a = à = ả < ă < â < b < d < đ < e < ê < f < o < ô < ơ < p < u < ư < v"},
	{"utf8mb4_vi_0900_as_cs", "a < à < ả < ã < á < ạ < ă"},
	{"utf8mb4_ja_0900_as_cs", "a < α < а < あ = ア < か < が < 亜 < 唖 < 娃 < 一"},
}

// otherwise are the places where x/text's order is not the documented one.
var otherwise = map[string]bool{
	// Capitals first.
	"utf8mb4_da_0900_as_cs: A < a": true, "utf8mb4_da_0900_as_cs: B < b": true,
	// A form of i.
	"utf8mb4_lv_0900_ai_ci: i = y": true, "utf8mb4_lv_0900_ai_ci: y < j": true,
}

func TestNearest(t *testing.T) {
	for name, want := range map[string]string{
		"utf8mb4_0900_ai_ci": "utf8mb4_0900_ai_ci", "UTF8MB4_0900_AS_CS": "utf8mb4_0900_as_cs",
		"utf8mb4_general_ci":     "utf8mb4_0900_ai_ci",
		"utf8mb4_unicode_520_ci": "utf8mb4_0900_ai_ci", "utf8mb3_bin": "utf8mb4_bin", "latin1_bin": "utf8mb4_bin",
		"binary": "binary", "ascii_bin": "utf8mb4_bin",
		"latin1_swedish_ci": "utf8mb4_sv_0900_ai_ci", "utf8mb4_german2_ci": "utf8mb4_de_pb_0900_ai_ci",
		"latin1_german1_ci":   "utf8mb4_0900_ai_ci",
		"utf8mb4_spanish2_ci": "utf8mb4_es_0900_ai_ci", "utf8mb4_es_trad_0900_as_cs": "utf8mb4_es_0900_as_cs",
		"utf8mb4_gl_0900_ai_ci":    "utf8mb4_es_0900_ai_ci",
		"utf8mb4_de_pb_0900_as_cs": "utf8mb4_de_pb_0900_as_cs", "utf8mb4_cs_0900_ai_ci": "utf8mb4_cs_0900_ai_ci",
		"utf8mb4_czech_ci":  "utf8mb4_cs_0900_ai_ci",
		"latin1_general_cs": "utf8mb4_0900_as_cs", "cp1250_czech_cs": "utf8mb4_cs_0900_as_cs",
		"utf8mb4_ja_0900_as_cs_ks": "utf8mb4_ja_0900_as_cs",
		"utf8mb4_zh_0900_as_cs":    "utf8mb4_0900_as_cs", "utf8mb4_la_0900_ai_ci": "utf8mb4_0900_ai_ci",
		"utf8mb4_nb_0900_as_cs": "utf8mb4_nn_0900_as_cs",
		"utf8mb4_bs_0900_ai_ci": "utf8mb4_hr_0900_ai_ci", "utf8mb4_sr_latn_0900_as_cs": "utf8mb4_hr_0900_as_cs",
		"utf8mb4_0900_as_ci":    "utf8mb4_0900_as_ci",
		"utf8mb4_bg_0900_as_cs": "utf8mb4_0900_as_cs", "utf8mb4_mn_cyrl_0900_ai_ci": "utf8mb4_0900_ai_ci",
		"latin1_danish_ci": "utf8mb4_da_0900_ai_ci",
		"utf8mb4_0900_bin": "utf8mb4_0900_bin", "utf8mb4_sk_0900_as_cs": "utf8mb4_sk_0900_as_cs", "": "utf8mb4_0900_ai_ci",
		"utf8_general_mysql500_ci": "utf8mb4_0900_ai_ci",
	} {
		if got := Nearest(name).Name(); got != want {
			t.Errorf("for %s there is %s, want %s", name, got, want)
		}
	}
}

func TestDocumentedOrders(t *testing.T) {
	for _, test := range documented {
		c := Nearest(test.collation)
		var letters, signs []string
		for i, field := range strings.Split(test.order, " ") {
			if i%2 == 0 {
				letters = append(letters, field)
			} else {
				signs = append(signs, field)
			}
		}
		for i, sign := range signs {
			a, b := letters[i], letters[i+1]
			got := ">"
			switch order := c.CompareKeys(a, b); {
			case order < 0:
				got = "<"
			case order == 0:
				got = "="
			}
			place := test.collation + ": " + a + " " + sign + " " + b
			if (got == sign) == otherwise[place] {
				t.Errorf("%s, but here %s", place, got)
			}
		}
	}
}
