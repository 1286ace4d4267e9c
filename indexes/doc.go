// Package indexes keeps and reads the entries of a collection's keypaths: it
// turns documents into entries, writes the difference that an update makes,
// and walks spans of encoded values.
//
// It does not decide which keypath a query uses (costing), how a value is
// encoded (ordered), or what a key looks like (keyspace).
package indexes
