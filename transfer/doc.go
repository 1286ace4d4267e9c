// Package transfer moves documents between files and collections. It reads JSON lines and
// JSON arrays, stores them through a running server or straight into a store, and writes
// collections as JSON lines.
//
// It makes no rules for documents: packages document and tables do, and each refusal is
// reported with its line.
package transfer
