// Package inputs opens the files of an import. It expands names. By a file's first bytes it
// decompresses gzip, zstd and bzip2, and recognizes the file's format.
//
// It reads no document. It also recognizes formats that can't be imported, so that the
// error names them.
package inputs
