package mongo_test

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/transfer/mongo"
)

// The files of testdata are one set of documents with every type of BSON, as MongoDB's own library for JavaScript
// writes it.

func documents(t *testing.T, file string) (found []document.Document) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		d, err := document.Parse([]byte(line), document.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		plain, made, err := mongo.Plain(d)
		if err != nil || made < 15 {
			t.Fatal(made, err)
		}
		found = append(found, plain)
	}
	return found
}

func readBSON(t *testing.T, file []byte) (found []document.Document, offsets []int64, refused int, fatal error) {
	t.Helper()
	r := mongo.NewReader(bufio.NewReader(bytes.NewReader(file)))
	for {
		offset, d, err, fatal := r.Next()
		if fatal != nil {
			return found, offsets, refused, fatal
		}
		if err != nil {
			refused++
			continue
		}
		found, offsets = append(found, d), append(offsets, offset)
	}
}

const first = `{"_id":"65a000000000000000000100","d":"2014-03-03T00:00:00.500Z","old":"0001-01-01T00:00:00.000Z",` +
	`"l":9223372036854775807,"i":5,"f":5.0,"g":0.1,"nan":"NaN","inf":"-Infinity","nz":-0.0,` +
	`"dec":1234567890.12345678901234567890,"dece":1E+3,"decn":"NaN","b":"aGVsbG8=",` +
	`"u":"123e4567-e89b-12d3-a456-426614174000","r":"/^a/b/i","ts":{"t":100,"i":7},"mk":"MinKey","xk":"MaxKey",` +
	`"c":"x=1","cs":{"code":"y","scope":{"z":3}},"sy":"sym",` +
	`"ref":{"$ref":"coll","$id":"65a000000000000000000999","$db":"db"},"n":null,` +
	`"arr":[1,2.5,[7],{"q":"1970-01-01T00:00:00.000Z"}],"s":"ü\"\n","t":true}`

// TestSame: BSON and canonical extended JSON are the same plain documents, digit for digit.
func TestSame(t *testing.T) {
	file, err := os.ReadFile("testdata/documents.bson")
	if err != nil {
		t.Fatal(err)
	}
	if !mongo.LooksBSON(file) {
		t.Error("the file does not look like BSON")
	}
	found, offsets, refused, err := readBSON(t, file)
	if err != io.EOF || refused > 0 || len(found) != 3 || offsets[0] != 0 ||
		offsets[1] != int64(binary.LittleEndian.Uint32(file)) {
		t.Fatal(found, offsets, refused, err)
	}
	if found[0].Text() != first {
		t.Errorf("%s\nwant\n%s", found[0], first)
	}
	for i, d := range documents(t, "canonical.jsonl") {
		if d.Text() != found[i].Text() {
			t.Errorf("%s\nof extended JSON, and of BSON\n%s", d, found[i])
		}
	}
}

// TestLossy: relaxed extended JSON and version 1 say less of numbers, as their writer does; the other values are
// the same.
func TestLossy(t *testing.T) {
	want := documents(t, "canonical.jsonl")
	for file, lossy := range map[string]string{"relaxed.jsonl": "l f nz", "version1.jsonl": "f nz nan inf ref"} {
		for i, d := range documents(t, file) {
			for name, v := range want[i].Members() {
				got, ok := d.Member(name)
				if !ok || !strings.Contains(" "+lossy+" ", " "+name+" ") && got.Text() != v.Text() {
					t.Errorf("%s: %s is %s, want %s", file, name, got, v)
				}
			}
		}
	}
}

const (
	some   = "65a000000000000000000999"
	someID = "123e4567-e89b-12d3-a456-426614174000"
)

// TestPlain: what is extended JSON, and what only looks so and stays.
func TestPlain(t *testing.T) {
	for text, want := range map[string]string{
		`{"a":{"$date":1393804800000}}`:                             `{"a":"2014-03-03T00:00:00.000Z"}`,
		`{"a":{"$date":{"$numberLong":"-1"}}}`:                      `{"a":"1969-12-31T23:59:59.999Z"}`,
		`{"a":{"$date":"2014-03-03T00:00:00.000-0500"}}`:            `{"a":"2014-03-03T05:00:00.000Z"}`,
		`{"a":{"$date":"2014-03-03T00:00:00Z"}}`:                    `{"a":"2014-03-03T00:00:00.000Z"}`,
		`{"a":{"$date":{"$numberLong":"253402300800000"}}}`:         `{"a":253402300800000}`,
		`{"a":{"$numberLong":"007"}}`:                               `{"a":7}`,
		`{"a":{"$numberLong":7}}`:                                   `{"a":7}`,
		`{"a":{"$numberDouble":"1.0"}}`:                             `{"a":1.0}`,
		`{"a":{"$numberDecimal":"0.10"}}`:                           `{"a":0.10}`,
		`{"$uuid":0,"a":{"$uuid":"` + someID + `"}}`:                `{"$uuid":0,"a":"` + someID + `"}`,
		`{"a":{"$binary":{"base64":"AQI=","subType":"00"}}}`:        `{"a":"AQI="}`,
		`{"a":{"$regularExpression":{"pattern":"x","options":""}}}`: `{"a":"/x/"}`,
		`{"a":{"$undefined":true}}`:                                 `{"a":null}`,
		`{"a":{"$dbPointer":{"$id":{"$oid":"` + some + `"}}}}`:      `{"a":{"$id":"` + some + `"}}`,
		`{"a.b":[{"k\"":{"$numberInt":"3"}}]}`:                      `{"a.b":[{"k\"":3}]}`,

		`{"a":{"$oid":"65a0"}}`:                           "",
		`{"a":{"$oid":"65a000000000000000000999","x":1}}`: "",
		`{"a":{"$date":"yesterday"}}`:                     "",
		`{"a":{"$numberLong":"9223372036854775808"}}`:     "",
		`{"a":{"$numberInt":"1.5"}}`:                      "",
		`{"a":{"$gt":5}}`:                                 "",
		`{"a":{"$regex":"^a"}}`:                           "",
		`{"a":{"$binary":{"base64":"?","subType":"00"}}}`: "",
		`{"a":{"$timestamp":{"t":1}}}`:                    "",
		`{"a":{"$timestamp":{"t":-1,"i":2}}}`:             "",
		`{"a":{"$minKey":2}}`:                             "",
		`{"a":"{\"$oid\":1}"}`:                            "",
		`{"$oid":"65a000000000000000000999"}`:             "",
	} {
		d, err := document.Parse([]byte(text), document.Limits{})
		if err != nil {
			t.Fatal(text, err)
		}
		if want == "" {
			want = text
		}
		plain, made, err := mongo.Plain(d)
		if err != nil || plain.Text() != want || (made > 0) != (want != text) {
			t.Errorf("%s: %s, %d, %v; want %s", text, plain, made, err, want)
		}
	}
}

// TestDamagedBSON: a document that is wrong inside is refused alone; a wrong length ends the file. No damage does
// worse.
func TestDamagedBSON(t *testing.T) {
	file, err := os.ReadFile("testdata/documents.bson")
	if err != nil {
		t.Fatal(err)
	}
	size := int(binary.LittleEndian.Uint32(file))
	alone := 0
	for i := range file {
		damaged := bytes.Clone(file)
		damaged[i] ^= 0xff
		found, _, refused, err := readBSON(t, damaged)
		if err == io.EOF && len(found)+refused != 3 {
			t.Errorf("byte %d: %d documents, %d refused", i, len(found), refused)
		}
		alone += refused
	}
	if alone < size/10 {
		t.Errorf("%d refused", alone)
	}
	if _, _, _, err := readBSON(t, file[:size+10]); err == nil || !strings.Contains(err.Error(), "the file ends within") {
		t.Error(err)
	}
	if _, _, _, err := readBSON(t, file[:size+2]); err == nil || err == io.EOF {
		t.Error(err)
	}
}
