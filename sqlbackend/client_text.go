package sqlbackend

import (
	"strconv"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/encodings"
	"github.com/dolthub/vitess/go/mysql"
	querypb "github.com/dolthub/vitess/go/vt/proto/query"

	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
)

// Clients choose the character sets in which they send and get text. Within the server all text is UTF-8: incoming
// text is decoded before it is parsed, and the engine encodes outgoing text.

// greeted is the character set of a collation that a client has named when it connected. A character set that the
// server can't convert counts as UTF-8.
func greeted(collation uint8) sql.CharacterSetID {
	set := sql.CollationID(collation).CharacterSet()
	if session.EncoderOf(set) == nil || set == sql.CharacterSet_utf16 || set == sql.CharacterSet_utf32 {
		return sql.CharacterSet_utf8mb4
	}
	return set
}

// useCharacterSet makes a new session use the character set of the collation that its client has named.
func useCharacterSet(s *session.Session, collation uint8) error {
	set := greeted(collation)
	if set == sql.CharacterSet_utf8mb4 {
		return nil
	}
	for _, name := range []string{"character_set_client", "character_set_results", "character_set_connection"} {
		if err := s.InitSessionVariable(nil, name, set.Name()); err != nil {
			return err
		}
	}
	return s.InitSessionVariable(nil, "collation_connection", sql.CollationID(collation).Name())
}

// clientEncoder decodes the text of a connection's client; nil if that is UTF-8.
func (b *Backend) clientEncoder(c *mysql.Conn) encodings.Encoder {
	s, ok := b.Session(c.ConnectionID)
	if !ok { // it begins with the first command
		return session.EncoderOf(greeted(c.CharacterSet))
	}
	v, err := s.GetSessionVariable(nil, "character_set_client")
	name, is := v.(string)
	if err != nil || !is || strings.HasPrefix(name, "utf8") {
		return nil
	}
	set, err := sql.ParseCharacterSet(name)
	if err != nil {
		return nil
	}
	return session.EncoderOf(set)
}

// Decodes reports whether the text of a connection's client is other than UTF-8.
func (b *Backend) Decodes(c *mysql.Conn) bool { return b.clientEncoder(c) != nil }

// Decoded is a statement of a connection's client in UTF-8. Quoted text behind _binary stays as it is.
func (b *Backend) Decoded(c *mysql.Conn, text string) string {
	e := b.clientEncoder(c)
	if e == nil || isASCII(text) {
		return text
	}
	var out strings.Builder
	from, raw := 0, false
	for _, t := range statement.Tokenize(text) {
		if raw && t.Kind == statement.TokenString {
			out.WriteString(decode(e, text[from:t.Start]))
			out.WriteString(text[t.Start:t.End])
			from = t.End
		}
		raw = t.Is(text, "_binary")
	}
	out.WriteString(decode(e, text[from:]))
	return out.String()
}

// DecodeParameters makes the texts among the parameters of a statement UTF-8.
func (b *Backend) DecodeParameters(c *mysql.Conn, prepare *mysql.PrepareData) {
	e := b.clientEncoder(c)
	if e == nil {
		return
	}
	for i, t := range prepare.ParamsType {
		p := prepare.BindVars["v"+strconv.Itoa(i+1)]
		switch querypb.Type(t) {
		case querypb.Type_VARCHAR, querypb.Type_CHAR, querypb.Type_TEXT:
			if p != nil {
				p.Value = []byte(decode(e, string(p.Value)))
			}
		}
	}
}

func decode(e encodings.Encoder, text string) string {
	if isASCII(text) {
		return text
	}
	decoded, ok := e.Decode([]byte(text))
	if !ok {
		return text
	}
	return string(decoded)
}

func isASCII(text string) bool {
	for i := range len(text) {
		if text[i] >= 0x80 {
			return false
		}
	}
	return true
}

// ResultEncoder encodes text for a session's client; nil where that wants UTF-8.
func ResultEncoder(ctx *sql.Context) func(text []byte) []byte {
	s, ok := ctx.Session.(*session.Session)
	if !ok {
		return nil
	}
	set := s.BaseSession.GetCharacterSetResults()
	e := session.EncoderOf(set)
	if set == sql.CharacterSet_ascii {
		e = set.Encoder()
	}
	if e == nil {
		return nil
	}
	return func(text []byte) []byte {
		if isASCII(string(text)) {
			return text
		}
		return e.EncodeReplaceUnknown(text)
	}
}

// WantedResults is the character set that a session's client wants text in.
func WantedResults(ctx *sql.Context) sql.CharacterSetID {
	if s, ok := ctx.Session.(*session.Session); ok {
		return s.BaseSession.GetCharacterSetResults()
	}
	return ctx.GetCharacterSetResults()
}
