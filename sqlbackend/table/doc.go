// Package table makes a collection a table of the engine: its columns and rows, and the editors that write
// documents. It chooses access paths for conditions and orders by counts, and makes rows without documents.
//
// Definitions are changed by a [Definer], which a package above implements.
package table
