// Package sqlbackend gives go-mysql-server the databases, tables, rows,
// editors, sessions and transactions of a store of JSON documents.
//
// It writes no key and keeps no index itself (package tables does), it chooses
// no access path (package costing), and it speaks no protocol (package server).
package sqlbackend
