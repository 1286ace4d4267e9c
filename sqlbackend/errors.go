package sqlbackend

import (
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
)

// SQLError makes a MySQL error of err, and remembers a conflict for the retry
// of autocommit statements.
func (s *Session) SQLError(err error) error {
	if err == nil {
		return nil
	}
	s.noteError(err)
	if outlived := s.outlived(err); outlived != nil {
		return outlived
	}
	if large := s.tooLarge(err); large != nil {
		return large
	}
	return mysqlerr.From(err)
}
