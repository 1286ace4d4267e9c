// Package columnar reads and writes documents as Parquet files, nested objects and
// arrays as Parquet's groups and lists.
//
// Whatever its values have no type of Parquet for is written as JSON text, which comes
// back as it was. It knows no file's name and no table.
package columnar
