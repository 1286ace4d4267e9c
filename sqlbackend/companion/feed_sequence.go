package companion

import (
	"math"

	"github.com/sqlfdb/sqlfdb/changes"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/ordered"
)

// sequenceSpan is the sequences from from to to, both included.
type sequenceSpan struct {
	from, to changes.Sequence
}

var lastSequencePossible = func() (s changes.Sequence) {
	for i := range s {
		s[i] = math.MaxUint8
	}
	return s
}()

// EverySequence is the span of the whole feed.
func EverySequence() []sequenceSpan { return []sequenceSpan{{to: lastSequencePossible}} }

// sequenceSpans returns exactly the sequences whose texts, as strings of a binary collation, are in the spans. The
// spans may begin and end with any string.
func sequenceSpans(spans indexes.Spans) []sequenceSpan {
	var out []sequenceSpan
	for _, s := range spans {
		from, ok := sequenceFrom(s.Start)
		if !ok {
			continue // all texts are less
		}
		to := lastSequencePossible
		if s.End != nil {
			if end, ok := sequenceFrom(s.End); ok {
				if to, ok = sequenceBefore(end); !ok {
					continue
				}
			}
		}
		if string(from[:]) <= string(to[:]) {
			out = append(out, sequenceSpan{from, to})
		}
	}
	return out
}

// sequenceFrom returns the first sequence whose text is not less than an encoded value; false if there is none.
func sequenceFrom(bound []byte) (s changes.Sequence, ok bool) {
	if len(bound) == 0 || bound[0] < ordered.ClassString {
		return s, true
	}
	if bound[0] > ordered.ClassString {
		return s, false
	}
	bound = bound[1:]
	const digits = "0123456789abcdef"
	var text [2 * changes.SequenceSize]byte
	at := 0
	greater := false // the text so far is greater than the bound
	for ; at < len(text) && at < len(bound) && !greater; at++ {
		c := bound[at]
		digit := 0
		for digit < len(digits) && digits[digit] < c {
			digit++
		}
		if digit == len(digits) {
			break // no digit is large enough: an earlier one must be larger
		}
		text[at] = byte(digit)
		greater = digits[digit] > c
	}
	if !greater && at < len(bound) {
		for at--; at >= 0 && text[at] == 0xf; at-- {
			text[at] = 0
		}
		if at < 0 {
			return s, false
		}
		text[at]++
		for i := at + 1; i < len(text); i++ {
			text[i] = 0
		}
	}
	for i := range s {
		s[i] = text[2*i]<<4 | text[2*i+1]
	}
	return s, true
}

// sequenceBefore returns the last sequence before s, if there is one.
func sequenceBefore(s changes.Sequence) (changes.Sequence, bool) {
	for i := len(s) - 1; i >= 0; i-- {
		s[i]--
		if s[i] != 0xff {
			return s, true
		}
	}
	return s, false
}

// bounds returns the span as bounds of the log.
func (s sequenceSpan) bounds() changes.Bounds {
	b := changes.Bounds{}
	if after, ok := sequenceBefore(s.from); ok {
		b.After = &after
	}
	if s.to != lastSequencePossible {
		b.Upto = &s.to
	}
	return b
}
