// Package tables keeps the documents of collections. It is the only writer:
// put moves a document, its entries, its counts and its change in one
// function and one transaction, and Check proves that they agree.
//
// It knows no SQL: rows, types and statements are sqlbackend's.
package tables
