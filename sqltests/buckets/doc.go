// Package buckets asks of tables in buckets, over the wire, what they answer, what they ask of the bucket for it, and
// what becomes of both where the bucket fails.
package buckets
