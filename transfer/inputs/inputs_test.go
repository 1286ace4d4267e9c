package inputs_test

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/klauspost/compress/zstd"

	"github.com/sqlfdb/sqlfdb/transfer/inputs"
)

func zipOf(t *testing.T, names ...string) string {
	t.Helper()
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for _, name := range names {
		if _, err := z.Create(name); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func wide(text string, order binary.ByteOrder) string {
	var out bytes.Buffer
	_ = binary.Write(&out, order, utf16.Encode([]rune(text)))
	return out.String()
}

// TestRecognize: what a file is told to be by its bytes, and where they leave it open by its name.
func TestRecognize(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       inputs.Format
		says       string // of the error, "" for none
	}{
		{"a", `{"a":1}` + "\n", inputs.Lines, ""},
		{"a", `{"a":"}{\"["}` + "\n{}", inputs.Lines, ""},
		{"a", `{"a":1}{"b":2}`, inputs.JSON, ""},
		{"a", "{\n \"a\":1\n}", inputs.JSON, ""},
		{"a", " \n[{}]", inputs.JSON, ""},
		{"a.jsonl", "[1]\n{}", inputs.Lines, ""},
		{"a.csv", `{"a":1}` + "\n", inputs.Lines, ""},
		{"a.json", "x\n", inputs.Lines, ""},
		{"a", "\xef\xbb\xbf{\"a\":1}\n", inputs.Lines, ""},
		{"a", "a,b\n1,2\n", inputs.CSV, ""},
		{"a.tsv", "a\tb\n", inputs.TSV, ""},
		{"a.txt", "PAR1....", inputs.Parquet, ""},
		{"a", "\x05\x00\x00\x00\x00", inputs.BSON, ""},
		{"a", "\x0c\x00\x00\x00\x10a\x00\x01\x00\x00\x00\x00", inputs.BSON, ""},
		{"a", "select,b\n1,2\n", inputs.CSV, ""},
		{"a", "", "", "the file is empty"},
		{"a.csv", "\x89PNG\r\n\x1a\n\x00", "", "a picture (PNG)"},
		{"a", "\xff\xd8\xff\xe0", "", "a picture (JPEG)"},
		{"a", "%PDF-1.7", "", "a PDF: save or export it"},
		{"a", "SQLite format 3\x00", "", "a SQLite database: export its tables: sqlite3 -json"},
		{"a", zipOf(t, "[Content_Types].xml", "xl/workbook.xml"), "", "a spreadsheet (xlsx): save it as CSV"},
		{"a", zipOf(t, "x.json"), "", "a ZIP archive: unpack it"},
		{"a", "\xfd7zXZ\x00\x00", "", "compressed by xz: xz -dc FILE"},
		{"a", strings.Repeat("x", 257) + "ustar\x00", "", "a tar archive"},
		{"a", "\x6d\xe2\x99\x81\x00", "", "an archive of mongodump: run mongodump without --archive"},
		{"a", "sqlfdb backup\r\n\x1a\n", "", "a backup of sqlfdb: sqlfdb restore"},
		{"a", "-- MySQL dump 10.19\n--\nCREATE TABLE x(a int);", "", "a dump of SQL statements: give it to a MySQL client"},
		{"a", "PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;\n", "", "a dump of SQL statements"},
		{"a", "INSERT INTO `t` VALUES (1,2);", "", "a dump of SQL statements"},
		{"a.json", "<!DOCTYPE html><html>", "", "a page (HTML)"},
		{"a", "<?xml version='1.0'?>", "", "it is XML"},
		{"a", "\xff\xfe" + wide("a,b", binary.LittleEndian), "", "text in UTF-16: iconv -f UTF-16 -t UTF-8"},
		{"a", wide("a,b\n1,2", binary.LittleEndian), "", "text in UTF-16LE"},
		{"a", wide("a,b\n1,2", binary.BigEndian), "", "text in UTF-16BE"},
		{"a", "a,b\nx\xfc,2\n", "", "text that is not UTF-8: iconv -f WINDOWS-1252"},
		{"a", "\x00\x01\x02\x03\x04", "", "binary data of no kind"},
		{"d/people.metadata.json", `{"indexes":[]}`, "", "the indexes that mongodump wrote beside people.bson"},
	} {
		got, err := inputs.Recognize([]byte(c.text), c.name, inputs.Auto)
		if c.says != "" {
			if err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%s %.20q: %v, want %s", c.name, c.text, err, c.says)
			}
			continue
		}
		if err != nil || got != c.want {
			t.Errorf("%s %.20q: %s, %v, want %s", c.name, c.text, got, err, c.want)
		}
	}
}

// TestAsked: a format that is asked for goes before what a text looks like, and not before what bytes are.
func TestAsked(t *testing.T) {
	for _, c := range []struct {
		text  string
		asked inputs.Format
		ok    bool
	}{
		{"<a>,b\n", inputs.CSV, true},
		{"-- insert into t\n", inputs.CSV, true},
		{`{"a":1}`, inputs.CSV, true},
		{"a,b\n", inputs.BSON, false},
		{"PAR1", inputs.CSV, false},
		{"PAR1", inputs.Parquet, true},
		{"%PDF-1.7", inputs.CSV, false},
		{"\xff\xfea\x00", inputs.CSV, false},
	} {
		if got, err := inputs.Recognize([]byte(c.text), "a", c.asked); got != c.asked || (err == nil) != c.ok {
			t.Errorf("%q as %s: %s, %v", c.text, c.asked, got, err)
		}
	}
}

// TestOpen: compressions are told by the bytes, and taken off however they are named.
func TestOpen(t *testing.T) {
	const text = `{"a":1}` + "\n"
	var zipped, twice bytes.Buffer
	z := gzip.NewWriter(&zipped)
	_, _ = io.WriteString(z, text)
	_ = z.Close()
	e, err := zstd.NewWriter(&twice)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = e.Write(zipped.Bytes())
	_ = e.Close()
	dir := t.TempDir()
	for name, content := range map[string]string{
		"plain.json": text, "a.json.gz": zipped.String(), "noname": zipped.String(), "twice": twice.String(),
		"two.json.gz": zipped.String() + zipped.String(), "wrong.gz": text,
	} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := inputs.Open(path, nil)
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(f)
		if want := strings.Repeat(text, 1+strings.Count(name, "two.")); err != nil || string(got) != want ||
			f.Size != int64(len(content)) || f.BytesRead() != f.Size {
			t.Errorf("%s: %q, %v, %d of %d bytes", name, got, err, f.BytesRead(), f.Size)
		}
		if strings.HasSuffix(name, ".json.gz") != strings.HasSuffix(f.Plain, ".json") && name != "plain.json" {
			t.Errorf("%s: %s", name, f.Plain)
		}
		at, size, err := f.Whole()
		if err == nil && !f.Compressed {
			b := make([]byte, size)
			_, err = at.ReadAt(b, 0)
			if string(b) != text {
				t.Errorf("%s: %q", name, b)
			}
		}
		if err := errors.Join(err, f.Close()); err != nil {
			t.Error(name, err)
		}
	}
	cut := zipped.Bytes()[:zipped.Len()-9]
	f, err := inputs.FromReader(bytes.NewReader(cut), "x")
	if err == nil {
		_, err = io.ReadAll(f)
	}
	if err == nil || !strings.Contains(err.Error(), "cut short") {
		t.Error(err)
	}
	if _, err := inputs.Open(dir, nil); !errors.Is(err, inputs.ErrFolder) || !strings.Contains(err.Error(), "*.json") {
		t.Error(err)
	}
}

func TestExpand(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"b1.json", "b2.json", "[x].json"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	in := func(names ...string) (paths []string) {
		for _, n := range names {
			paths = append(paths, filepath.Join(dir, n))
		}
		return paths
	}
	got, err := inputs.Expand(append(in("b*.json", "[x].json"), "-"))
	if want := strings.Join(append(in("b1.json", "b2.json", "[x].json"), "-"), " "); err != nil ||
		strings.Join(got, " ") != want {
		t.Errorf("%s, %v; want %s", got, err, want)
	}
	for _, names := range [][]string{in("c*.json"), {"-", "-"}, in("[")} {
		if got, err := inputs.Expand(names); err == nil && names[0] != in("[")[0] {
			t.Errorf("%s: %s", names, got)
		}
	}
}
