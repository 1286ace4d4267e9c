package mongo

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/sqlfdb/sqlfdb/document"
)

// Plain returns d with every value of extended JSON as a plain one, and the number of such values. An object counts
// as such a value only when it has exactly the keys of one, spelled without escapes, with a value of the right kind.
// Any other object stays as it is.
//
// See https://www.mongodb.com/docs/manual/reference/mongodb-extended-json/ and its page on version 1.
func Plain(d document.Document) (document.Document, int, error) {
	if !bytes.Contains(d.Raw(), []byte(`{"$`)) {
		return d, 0, nil
	}
	p := plainer{out: make([]byte, 0, d.Len())}
	if err := p.members(d.Value); err != nil {
		return document.Document{}, 0, err
	}
	if p.made == 0 {
		return d, 0, nil
	}
	plain, err := document.Parse(p.out, document.Limits{})
	return plain, p.made, err
}

type plainer struct {
	out  []byte
	made int
}

func (p *plainer) value(v document.Value) (err error) {
	switch v.Type() {
	case document.TypeObject:
		out, ok, err := p.wrapped(v)
		if ok || err != nil {
			p.out = out
			p.made++
			return err
		}
		return p.members(v)
	case document.TypeArray:
		p.out = append(p.out, '[')
		for i, element := range v.Elements() {
			if i > 0 {
				p.out = append(p.out, ',')
			}
			if err := p.value(element); err != nil {
				return err
			}
		}
		p.out = append(p.out, ']')
	default:
		p.out = append(p.out, v.Raw()...)
	}
	return nil
}

// members writes an object that is none of extended JSON's.
func (p *plainer) members(v document.Value) (err error) {
	p.out = append(p.out, '{')
	first := true
	for name, member := range v.Members() {
		if !first {
			p.out = append(p.out, ',')
		}
		first = false
		if p.out, err = appendText(p.out, name); err != nil {
			return err
		}
		p.out = append(p.out, ':')
		if err := p.value(member); err != nil {
			return err
		}
	}
	p.out = append(p.out, '}')
	return nil
}

// wrapped appends the plain value of an object of extended JSON; ok is false when v is none.
func (p *plainer) wrapped(v document.Value) (out []byte, ok bool, err error) {
	if raw := v.Raw(); len(raw) < 3 || raw[1] != '"' || raw[2] != '$' {
		return nil, false, nil
	}
	var members [3]struct {
		name  string
		value document.Value
	}
	n := 0
	for name, value := range v.Members() {
		if n == len(members) {
			return nil, false, nil
		}
		members[n].name, members[n].value = name, value
		n++
	}
	switch n {
	case 1:
		return p.single(members[0].name, members[0].value)
	case 2:
		first, second := members[0], members[1]
		if first.name > second.name {
			first, second = second, first
		}
		return p.double(first.name+" "+second.name, first.value, second.value)
	}
	return nil, false, nil
}

var objectID = regexp.MustCompile(`^[0-9a-fA-F]{24}$`)

// single appends the plain value of {name: v}.
func (p *plainer) single(name string, v document.Value) (out []byte, ok bool, err error) {
	text, isText := v.Str(), v.Type() == document.TypeString
	switch name {
	case "$oid":
		if isText && objectID.MatchString(text) {
			return append(p.out, v.Raw()...), true, nil
		}
	case "$symbol", "$code":
		if isText {
			return append(p.out, v.Raw()...), true, nil
		}
	case "$uuid":
		if _, err := uuid.Parse(text); isText && err == nil {
			return append(p.out, v.Raw()...), true, nil
		}
	case "$date":
		if ms, ok := milliseconds(v); ok {
			return appendDate(p.out, ms), true, nil
		}
	case "$numberInt", "$numberLong":
		if n, err := strconv.ParseInt(digits(v), 10, 64); err == nil {
			return strconv.AppendInt(p.out, n, 10), true, nil
		}
	case "$numberDouble":
		if out, ok := appendSpelled(p.out, digits(v)); ok {
			return out, true, nil
		}
	case "$numberDecimal":
		if out, ok := appendSpelled(p.out, digits(v)); ok {
			return out, true, nil
		}
	case "$binary":
		return p.binaryV2(v)
	case "$timestamp":
		t, i := part(v, "t"), part(v, "i")
		if t != nil && i != nil && v.Count() == 2 {
			return appendTimestamp(p.out, *t, *i), true, nil
		}
	case "$regularExpression":
		pattern, _ := v.Member("pattern")
		options, _ := v.Member("options")
		if pattern.Type() == document.TypeString && options.Type() == document.TypeString && v.Count() == 2 {
			out, err := appendRegex(p.out, pattern.Str(), options.Str())
			return out, err == nil, err
		}
	case "$dbPointer":
		if v.Type() == document.TypeObject {
			err := p.members(v)
			return p.out, err == nil, err
		}
	case "$undefined":
		if v.Bool() {
			return append(p.out, "null"...), true, nil
		}
	case "$minKey":
		if v.Number() == "1" {
			return append(p.out, `"`+minKey+`"`...), true, nil
		}
	case "$maxKey":
		if v.Number() == "1" {
			return append(p.out, `"`+maxKey+`"`...), true, nil
		}
	}
	return nil, false, nil
}

// double appends the plain value of an object with two keys, in the order of their names.
func (p *plainer) double(names string, first, second document.Value) (out []byte, ok bool, err error) {
	switch names {
	case "$binary $type":
		if subtype, err := strconv.ParseUint(second.Str(), 16, 8); err == nil && first.Type() == document.TypeString {
			return p.binary(first.Str(), byte(subtype))
		}
	case "$options $regex":
		if first.Type() == document.TypeString && second.Type() == document.TypeString {
			out, err := appendRegex(p.out, second.Str(), first.Str())
			return out, err == nil, err
		}
	case "$code $scope":
		if first.Type() == document.TypeString && second.Type() == document.TypeObject {
			p.out = append(append(p.out, `{"code":`...), first.Raw()...)
			p.out = append(p.out, `,"scope":`...)
			err := p.members(second)
			return append(p.out, '}'), err == nil, err
		}
	}
	return nil, false, nil
}

// binaryV2 is {"base64": …, "subType": …}.
func (p *plainer) binaryV2(v document.Value) (out []byte, ok bool, err error) {
	data, _ := v.Member("base64")
	subtype, _ := v.Member("subType")
	n, err := strconv.ParseUint(subtype.Str(), 16, 8)
	if err != nil || data.Type() != document.TypeString || v.Count() != 2 {
		return nil, false, nil
	}
	return p.binary(data.Str(), byte(n))
}

func (p *plainer) binary(text string, subtype byte) (out []byte, ok bool, err error) {
	data, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return nil, false, nil
	}
	return appendBinary(p.out, subtype, data), true, nil
}

// digits is the text or the number that v is.
func digits(v document.Value) string {
	if v.Type() == document.TypeNumber {
		return v.Number()
	}
	return v.Str()
}

// appendSpelled appends a number as it is spelled, or as a text if it is NaN or infinite.
func appendSpelled(dst []byte, literal string) ([]byte, bool) {
	switch literal {
	case "NaN", "Infinity", "-Infinity":
		return append(append(append(dst, '"'), literal...), '"'), true
	}
	v, err := document.NumberValue(literal)
	if err != nil {
		return dst, false
	}
	return append(dst, v.Raw()...), true
}

// part is a number of 32 bits in an object.
func part(v document.Value, name string) *uint32 {
	m, _ := v.Member(name)
	n, err := strconv.ParseUint(m.Number(), 10, 32)
	if err != nil {
		return nil
	}
	short := uint32(n)
	return &short
}

// milliseconds reads the value of $date: a text, a number, or {"$numberLong": …}.
func milliseconds(v document.Value) (int64, bool) {
	if inner, ok := v.Member("$numberLong"); ok && v.Count() == 1 {
		v = inner
	}
	if n, err := strconv.ParseInt(digits(v), 10, 64); err == nil {
		return n, true
	}
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999-0700", "2006-01-02T15:04Z"} {
		if t, err := time.Parse(layout, strings.TrimSpace(v.Str())); err == nil {
			return t.UnixMilli(), true
		}
	}
	return 0, false
}

// metadataSuffix ends the name of the file in which mongodump writes a collection's indexes.
const metadataSuffix = ".metadata.json"

// CheckName fails when name is a file of mongodump that holds no documents.
func CheckName(name string) error {
	if data, ok := strings.CutSuffix(name, metadataSuffix); ok {
		return fmt.Errorf("the indexes that mongodump wrote beside %s.bson, no documents: import that file", data)
	}
	return nil
}
