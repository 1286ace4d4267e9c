// Package columnar reads and writes documents as Parquet files, nested objects and
// arrays as Parquet's groups and lists.
//
// Values without a type of Parquet are written as JSON text, which comes back as it was.
// The package knows no file's name and no table.
package columnar
