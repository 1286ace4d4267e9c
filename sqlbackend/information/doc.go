// Package information answers questions about the server: information_schema, the databases sqlfdb, mysql and
// performance_schema, SHOW, and CHECK TABLE. It also handles dumps: the rows that they read, and their statements.
package information
