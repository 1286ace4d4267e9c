// Package information shows what there is: information_schema, the databases sqlfdb, mysql and performance_schema,
// SHOW, CHECK TABLE, and what a dump is shown and may say.
package information
