package information

import (
	"github.com/dolthub/go-mysql-server/sql"

	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
)

// NoRoutines is a database without triggers, stored procedures and events. The engine asks
// for them in many statements, and treats a database without this interface as broken once
// users have passwords.
type NoRoutines struct{}

// GetTriggers implements sql.TriggerDatabase.
func (NoRoutines) GetTriggers(*sql.Context) ([]sql.TriggerDefinition, error) { return nil, nil }

// CreateTrigger implements sql.TriggerDatabase.
func (NoRoutines) CreateTrigger(*sql.Context, sql.TriggerDefinition) error {
	return mysqlerr.Unsupported("triggers are not supported")
}

// DropTrigger implements sql.TriggerDatabase.
func (NoRoutines) DropTrigger(_ *sql.Context, name string) error {
	return sql.ErrTriggerDoesNotExist.New(name)
}

// GetStoredProcedure implements sql.StoredProcedureDatabase.
func (NoRoutines) GetStoredProcedure(*sql.Context, string) (sql.StoredProcedureDetails, bool, error) {
	return sql.StoredProcedureDetails{}, false, nil
}

// GetStoredProcedures implements sql.StoredProcedureDatabase.
func (NoRoutines) GetStoredProcedures(*sql.Context) ([]sql.StoredProcedureDetails, error) {
	return nil, nil
}

// SaveStoredProcedure implements sql.StoredProcedureDatabase.
func (NoRoutines) SaveStoredProcedure(*sql.Context, sql.StoredProcedureDetails) error {
	return mysqlerr.Unsupported("stored procedures are not supported")
}

// DropStoredProcedure implements sql.StoredProcedureDatabase.
func (NoRoutines) DropStoredProcedure(_ *sql.Context, name string) error {
	return sql.ErrStoredProcedureDoesNotExist.New(name)
}
