package catalog

// Bucket is where a table's documents are in an object store. It holds no secrets, and is never changed.
type Bucket struct {
	// Address is that of the store, as package bucket/store reads it.
	Address string
	// Collection is the folder there, which keeps its name when the table is renamed.
	Collection string
	// CacheBytes are what is kept in memory of what was read; 0 is nothing.
	CacheBytes int64 `json:",omitempty"`
}
