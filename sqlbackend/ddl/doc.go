// Package ddl runs the statements that define: CREATE, ALTER, DROP, RENAME and TRUNCATE of tables, their indexes, keys,
// checks, views and map indexes, wherever documents are stored; and what in the background makes a definition true.
package ddl
