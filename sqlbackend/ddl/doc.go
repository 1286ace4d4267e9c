// Package ddl runs the statements that define things: CREATE, ALTER, DROP, RENAME and TRUNCATE of tables, their
// indexes, keys, checks, views and map indexes, wherever documents are stored. It also has the background jobs that
// complete a definition.
package ddl
