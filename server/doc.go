// Package server is one running process: it listens for MySQL clients, runs
// their commands on the SQL engine, and ends in good order.
//
// It knows neither statements nor documents (sqlbackend does), and it names no
// storage engine: the store is handed to it.
package server
