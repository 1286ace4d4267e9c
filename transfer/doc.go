// Package transfer moves documents between files and collections: it reads
// JSON lines and JSON arrays, stores them through a running server or straight
// into a store, and writes collections as JSON lines.
//
// It decides nothing about documents: what a document may be is document's and
// tables' business, and each refusal is reported with its line.
package transfer
