package sqlbackend

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/sqlbackend/batch"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
)

// Client is a session as the protocol's side sees it.
type Client struct{ *session.Session }

// ClientOf is the client of a session that NewSession has made; ok is false for any other.
func ClientOf(s sql.Session) (c *Client, ok bool) {
	own, ok := s.(*session.Session)
	if !ok {
		return nil, false
	}
	return &Client{own}, true
}

// Client finds the session of a connection.
func (b *Backend) Client(connection uint32) (c *Client, ok bool) {
	s, ok := b.Session(connection)
	if !ok {
		return nil, false
	}
	return &Client{s}, true
}

// BatchWorthwhile reports whether the command that just failed is to run again in a batch, or in a smaller one, and
// prepares that.
func (c *Client) BatchWorthwhile() bool { return batch.Worthwhile(c.Session) }

// NextBatch reports whether the command that just succeeded was a batch that is followed by another one, and prepares
// that.
func (c *Client) NextBatch() bool { return batch.Next(c.Session) }

// RetryBatch makes the next attempt at a batch smaller after a conflict: it then meets fewer.
func (c *Client) RetryBatch() { batch.Retry(c.Session) }

// FinishBatch takes the result of a batch. final is false if it is not the last one. all is the result to send for
// the last batch, which sums up all of them.
func (c *Client) FinishBatch(r batch.Result) (all batch.Result, final bool) {
	return batch.Finish(c.Session, r)
}

// EndBatches ends the statement, and adds the changes of earlier batches to its error.
func (c *Client) EndBatches(err error) error { return batch.End(c.Session, err) }

// NoteParameters keeps how to show the parameters of the command that is about to run.
func (c *Client) NoteParameters(text func() string) { batch.NoteParameters(c.Session, text) }

// Info is the text that a statement without rows reports beside its counts, in MySQL's words.
func (c *Client) Info(r types.OkResult) string { return batch.InsertInfo(c.Session, r) }

// NameMissing gives the error of a table that there is not MySQL's text, and names the table that was probably meant.
// It is called behind the statement.
func (c *Client) NameMissing(err error) error { return nameMissing(c.Session, err) }

// KeptStatements is how many texts of prepared statements, open or closed, the engine keeps parsed for the session.
func (c *Client) KeptStatements() int { return keptStatements(c.Session) }

// ForgetStatements makes the engine forget the texts that are neither open nor named by PREPARE, and returns how many
// it keeps. A forgotten text is parsed again when it is needed.
func (c *Client) ForgetStatements(open map[string]bool) (kept int) {
	return forgetStatements(c.Session, open)
}

// PreparedError is why a statement that has just been prepared would fail whenever it is run: its account may not run
// it, for one. It is forgotten then.
func (c *Client) PreparedError(query string) error { return preparedError(c.Session, query) }

// UseCharacterSet makes a new session use the character set of the collation that its client has named.
func (c *Client) UseCharacterSet(collation uint8) error { return useCharacterSet(c.Session, collation) }
