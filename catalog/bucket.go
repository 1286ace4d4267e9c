package catalog

import (
	"fmt"
	"net/url"
	"strings"
)

// Bucket is where a table's documents are in an object store. It holds no secrets, and is immutable.
type Bucket struct {
	// Address is the store's address, as package bucket/store reads it. If it begins with below, it is a folder of the
	// bucket in which the definitions are: see In.
	Address string
	// Collection is the folder there, which keeps its name when the table is renamed.
	Collection string
	// CacheBytes is how many bytes of read files are kept in memory; 0 is nothing.
	CacheBytes int64 `json:",omitempty"`
}

// below begins the addresses of folders in the bucket of the definitions.
const below = "./"

// Below is the address of a database's folder in the bucket of the definitions. Its text is the same for no two
// databases, and has no path's signs in it.
func Below(database string) string {
	var folder strings.Builder
	for i, c := range []byte(database) {
		plain := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-' ||
			c == '.' && i > 0
		if plain {
			folder.WriteByte(c)
		} else {
			fmt.Fprintf(&folder, "%%%02X", c)
		}
	}
	return below + url.PathEscape(folder.String())
}

// In is the address for definitions that are in a bucket themselves; definitions is that bucket's address.
func (b *Bucket) In(definitions string) string {
	folder, is := strings.CutPrefix(b.Address, below)
	if !is {
		return b.Address
	}
	address, options, has := strings.Cut(definitions, "?")
	address = strings.TrimRight(address, "/") + "/" + folder
	if has {
		address += "?" + options
	}
	return address
}
