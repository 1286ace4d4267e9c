package hold

const (
	VarStatementBytes = "sqlfdb_statement_bytes"
)
