package mysqlerr

import "github.com/dolthub/vitess/go/mysql"

// ComputedPrimaryKey is the error of an expression in a primary key.
func ComputedPrimaryKey() error {
	return mysql.NewSQLError(3756, "HY000", "The primary key cannot be a functional index")
}

// ComputedJSON is the error of a key part that gives JSON.
func ComputedJSON() error {
	return mysql.NewSQLError(3753, "HY000",
		"Cannot create a functional index on a function that returns a JSON or GEOMETRY value.")
}

// ComputedCounter is the error of a key part that reads an AUTO_INCREMENT column.
func ComputedCounter(index string) error {
	return mysql.NewSQLError(3754, "HY000", "Functional index '%s' cannot refer to an auto-increment column.", index)
}

// ComputedFunction is the error of a key part whose value is not the row's alone.
func ComputedFunction(index string) error {
	return mysql.NewSQLError(3758, "HY000", "Expression of functional index '%s' contains a disallowed function.", index)
}

// ComputedColumn is the error of a key part in parentheses that is a column.
func ComputedColumn() error {
	return mysql.NewSQLError(3762, "HY000",
		"Functional index on a column is not supported. Consider using a regular index instead.")
}

// ComputedDependent is the error of a change of a column that a key part reads.
func ComputedDependent(column string) error {
	return mysql.NewSQLError(3837, "HY000",
		"Column '%s' has a functional index dependency and cannot be dropped or renamed.", column)
}

// PrefixTooLong is the error of a prefix that is longer than a key may be.
func PrefixTooLong() error {
	return mysql.NewSQLError(KeyTooLong, "42000", "Specified key was too long; max key length is 3072 bytes")
}

// WrongPrefix is the error of a prefix that a key part can't have.
func WrongPrefix() error {
	return mysql.NewSQLError(1089, "HY000", "Incorrect prefix key; the used key part isn't a string, "+
		"the used length is longer than the key part, or the storage engine doesn't support unique prefix keys")
}
