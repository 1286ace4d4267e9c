// Package table makes a collection a table of the engine's: its columns and rows, the access paths that conditions and
// orders choose by counts, rows without documents, and the editors that write documents.
//
// Definitions are changed by a [Definer], which a package above implements.
package table
