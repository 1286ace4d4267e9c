package inputs

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/sqlfdb/sqlfdb/transfer/mongo"
)

// Format is how a file holds documents.
type Format string

// The formats. Auto is recognized from the file's bytes.
const (
	Auto    Format = ""
	Lines   Format = "jsonl" // one JSON document a line
	JSON    Format = "json"  // an array of documents, or one document behind the other
	CSV     Format = "csv"
	TSV     Format = "tsv"
	BSON    Format = "bson"
	Parquet Format = "parquet"
)

// Errors of files that hold no documents that can be read.
var (
	ErrEmpty   = errors.New("the file is empty")
	ErrUnknown = errors.New("this can't be imported")
)

// other is a kind of file that can't be imported, and the remedy.
type other struct {
	offset   int
	magic    string
	what, do string
}

const (
	asText  = "save or export it as CSV or JSON"
	asSQL   = "give it to a MySQL client: mariadb < FILE, or sqlfdb sql < FILE"
	archive = "unpack it and name the files in it"
)

var others = []other{
	{0, "\x89PNG\r\n\x1a\n", "a picture (PNG)", ""},
	{0, "\xff\xd8\xff", "a picture (JPEG)", ""},
	{0, "GIF8", "a picture (GIF)", ""},
	{8, "WEBP", "a picture (WebP)", ""},
	{0, "%PDF-", "a PDF", asText},
	{0, "SQLite format 3\x00", "a SQLite database",
		"export its tables: sqlite3 -json FILE 'SELECT * FROM t' | sqlfdb import --table DB.t -"},
	{0, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Office file (xls, doc)", asText},
	{0, "7z\xbc\xaf\x27\x1c", "a 7z archive", archive},
	{0, "Rar!\x1a\x07", "a RAR archive", archive},
	{257, "ustar", "a tar archive", archive},
	{0, "\xfd7zXZ\x00", "compressed by xz", "xz -dc FILE | sqlfdb import --table DB.TABLE -"},
	{0, "\x04\x22\x4d\x18", "compressed by lz4", "lz4 -dc FILE | sqlfdb import --table DB.TABLE -"},
	{0, "\xff\x06\x00\x00sNaPpY", "compressed by Snappy", "decompress it first"},
	{0, "Obj\x01", "an Avro file", "convert it to Parquet or JSON"},
	{0, "ORC", "an ORC file", "convert it to Parquet"},
	{0, "ARROW1", "an Arrow file", "convert it to Parquet"},
	{0, "PARE", "an encrypted Parquet file", "write it without encryption"},
	{0, "\x6d\xe2\x99\x81", "an archive of mongodump", "run mongodump without --archive, or mongoexport"},
	{0, "sqlfdb backup", "a backup of sqlfdb", "sqlfdb restore --store pebble:NEW FILE"},
	{0, "\x7fELF", "a program", ""},
}

// Recognize finds the format of a file from its first bytes, and where they don't decide from its name. asked is the
// format that was asked for, or Auto; a file that is known to be something else is refused all the same. The error
// names the file's format and a remedy.
func Recognize(head []byte, name string, asked Format) (Format, error) {
	if len(head) == 0 {
		return asked, ErrEmpty
	}
	if err := mongo.CheckName(filepath.Base(name)); err != nil && asked == Auto {
		return asked, err
	}
	for _, o := range others {
		if len(head) >= o.offset+len(o.magic) && string(head[o.offset:o.offset+len(o.magic)]) == o.magic {
			return asked, refuse(o.what, o.do)
		}
	}
	if bytes.HasPrefix(head, []byte("PK\x03\x04")) || bytes.HasPrefix(head, []byte("PK\x05\x06")) {
		return asked, refuse(zipped(head))
	}
	is, err := recognize(head, strings.ToLower(filepath.Ext(name)))
	switch {
	case asked == Auto:
		return is, err
	case asked == BSON || asked == Parquet || is == BSON || is == Parquet:
		if err == nil && is != asked {
			err = fmt.Errorf("%w as %s: it looks like %s", ErrUnknown, asked, is)
		}
		return asked, err
	case errors.Is(err, errEncoding):
		return asked, err
	}
	return asked, nil // text, which may be read in each of the text formats
}

func refuse(what, do string) error {
	if do == "" {
		return fmt.Errorf("%w: it is %s", ErrUnknown, what)
	}
	return fmt.Errorf("%w: it is %s: %s", ErrUnknown, what, do)
}

// errEncoding: bytes that are no text in UTF-8.
var errEncoding = fmt.Errorf("%w", ErrUnknown)

func encoding(what, do string) error { return fmt.Errorf("%w: it is %s: %s", errEncoding, what, do) }

func recognize(head []byte, extension string) (Format, error) {
	switch {
	case bytes.HasPrefix(head, []byte("PAR1")):
		return Parquet, nil
	case mongo.LooksBSON(head):
		return BSON, nil
	}
	if what := wide(head); what != "" {
		return Auto, encoding("text in "+what, "iconv -f "+what+" -t UTF-8 FILE | sqlfdb import --table DB.TABLE -")
	}
	if bytes.IndexByte(head, 0) >= 0 {
		return Auto, encoding("binary data of no kind that is known here", "name a format by --format when you know it")
	}
	if !utf8.Valid(wholeRunes(head)) {
		return Auto, encoding("text that is not UTF-8",
			"iconv -f WINDOWS-1252 -t UTF-8 FILE | sqlfdb import --table DB.TABLE -")
	}
	text := bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n")
	if len(text) == 0 {
		return textFormat(extension), nil
	}
	lower := bytes.ToLower(text[:min(len(text), 64<<10)])
	switch {
	case bytes.HasPrefix(lower, []byte("<!doctype html")), bytes.HasPrefix(lower, []byte("<html")):
		return Auto, refuse("a page (HTML)", "a download may have given a page instead of the file")
	case lower[0] == '<' && len(lower) > 1 && (lower[1] == '?' || lower[1] == '!' || lower[1] >= 'a' && lower[1] <= 'z'):
		return Auto, refuse("XML", "convert it to JSON or CSV")
	case sqlBegins.Match(lower) && sqlHolds.Match(lower):
		return Auto, refuse("a dump of SQL statements", asSQL)
	case text[0] == '{' || text[0] == '[':
		return jsonFormat(text, extension), nil
	}
	return textFormat(extension), nil
}

var (
	sqlBegins = regexp.MustCompile(`^(--|/\*|#|(create|insert|drop|set|pragma|begin|use|start|lock|alter)\s)`)
	sqlHolds  = regexp.MustCompile(`(create (table|database|schema)|insert into|drop table|pragma |` +
		`database dump|set names|set (sql_mode|@))`)
)

// textFormat is the format of a text that begins with no bracket.
func textFormat(extension string) Format {
	switch extension {
	case ".json", ".jsonl", ".ndjson":
		return Lines
	case ".tsv", ".tab":
		return TSV
	}
	return CSV
}

// jsonFormat distinguishes lines of documents from arrays and from documents over several lines.
func jsonFormat(text []byte, extension string) Format {
	switch {
	case extension == ".jsonl" || extension == ".ndjson":
		return Lines
	case text[0] == '[':
		return JSON
	}
	line, _, _ := bytes.Cut(text, []byte("\n"))
	depth, quoted, ended := 0, false, false
	for i := 0; i < len(line); i++ {
		c := line[i]
		switch {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			if ended {
				return JSON // a second document in the line
			}
			depth++
		case c == '}' || c == ']':
			depth--
			ended = depth == 0
		}
	}
	if ended || quoted { // a string can't go over the end of a line
		return Lines
	}
	return JSON
}

// zipped recognizes the format of a ZIP archive from the names in it, and gives a remedy.
func zipped(head []byte) (what, do string) {
	for _, k := range []struct{ in, what, do string }{
		{"xl/", "a spreadsheet (xlsx)", "save it as CSV"},
		{"opendocument.spreadsheet", "a spreadsheet (ods)", "save it as CSV"},
		{"word/", "a text document (docx)", asText},
		{"opendocument", "an OpenDocument file", asText},
		{"[Content_Types].xml", "an Office file", asText},
	} {
		if bytes.Contains(head, []byte(k.in)) {
			return k.what, k.do
		}
	}
	return "a ZIP archive", archive
}

// wide names the encoding of text whose characters take two bytes or four.
func wide(head []byte) string {
	switch {
	case bytes.HasPrefix(head, []byte{0xff, 0xfe, 0, 0}):
		return "UTF-32LE"
	case bytes.HasPrefix(head, []byte{0, 0, 0xfe, 0xff}):
		return "UTF-32BE"
	case bytes.HasPrefix(head, []byte{0xff, 0xfe}), bytes.HasPrefix(head, []byte{0xfe, 0xff}):
		return "UTF-16"
	}
	// Without a mark: every other byte of the beginning is zero.
	n := min(len(head), 64) / 2 * 2
	even, odd := 0, 0
	for i := 0; i+1 < n; i += 2 {
		if binary.BigEndian.Uint16(head[i:])>>8 == 0 {
			even++
		}
		if head[i+1] == 0 {
			odd++
		}
	}
	switch {
	case n < 4:
		return ""
	case odd == n/2 && even == 0:
		return "UTF-16LE"
	case even == n/2 && odd == 0:
		return "UTF-16BE"
	}
	return ""
}

// wholeRunes leaves out a character that the end of head cuts.
func wholeRunes(head []byte) []byte {
	for i := 1; i < utf8.UTFMax && i <= len(head); i++ {
		if b := head[len(head)-i]; utf8.RuneStart(b) {
			if !utf8.FullRune(head[len(head)-i:]) {
				return head[:len(head)-i]
			}
			break
		}
	}
	return head
}

// NamesText reports whether a file is one of fields between delimiters by its name.
func NamesText(name string) bool {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".csv", ".tsv", ".tab":
		return true
	}
	return false
}
