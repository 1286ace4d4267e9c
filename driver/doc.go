// Package driver is the database/sql driver sqlfdb, which opens a store in the program's own process: no port, no other
// process.
//
//	import _ "github.com/sqlfdb/sqlfdb/driver"
//
//	db, err := sql.Open("sqlfdb", "pebble:DIR?database=shop")
//
// A name is that of a store, pebble:DIR or fdb:CLUSTER_FILE, and settings behind a question mark:
//
//	database   the current database; it is made if it is not there
//	parseTime  false: dates and times are texts, and not time.Time in UTC
//	cache      the bytes of an embedded store's cache of blocks
//
// All sql.DB's of a program that name one store share it: it is opened with the first connection, and closed with the
// last sql.DB. Errors of statements are those of github.com/go-sql-driver/mysql, *mysql.MySQLError, so that programs
// which know its numbers know these.
package driver
