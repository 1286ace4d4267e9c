// Package mapindex keeps map indexes below SQL: their definitions, the bytes of their rows, and the change of a
// document's rows when the document changes.
//
// A map index has JavaScript functions (package sandbox) that give the rows of a document. Its keys are in CouchDB's
// order. It knows no document's record and no SQL: package tables calls it where a document is written, package jobs
// and sqlbackend where rows are built and read. The bytes are described in docs/rfcs/0022-map-indexes.md.
package mapindex
