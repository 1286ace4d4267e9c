// Package sqlbackend gives go-mysql-server the databases, tables, rows,
// editors, sessions and transactions of a store of JSON documents.
//
// It writes no key and keeps no index itself (package tables does), it chooses
// no access path (package costing), and it speaks no protocol (package server).
//
// # Companion tables
//
// t__changes is a table's feed of changes. t__grades is the child table of the arrays at
// the keypath grades, with a row for each element. A row has the document's key, the
// position `_idx` (from 0), and the element's keypaths as columns, or the element itself as
// `_value`. Below it, t__grades__history is grades[*].history[*], with the positions
// `_idx1` and `_idx`. Companions are read only.
//
// A child table's name is the table's, `__`, and the way to the array. The way is the keys
// that lead to one array joined by dots, as keypaths are spelled, and `__` for each step
// into the elements of an array. A key stands in double quotes, as a JSON string, where
// keypaths quote it. It does so also if it holds `__`, begins or ends with `_`, or is the
// one key of a name that would be t__changes. Quotes that need not be are understood. If a
// table or a view has the same name, the name means that one; the child is then reached
// with its keys in quotes. If two tables' names fit, the longer one is the parent.
package sqlbackend
