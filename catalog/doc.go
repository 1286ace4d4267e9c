// Package catalog keeps the databases, tables, columns and SQL views, and the
// dictionary that numbers each collection's keypaths.
//
// It does not interpret SQL types (they are text to it), and it reads and
// writes no documents, entries or counts.
package catalog
