// Package companion makes tables of what comes with a collection: child tables of the elements of its arrays, its feed
// of changes, and the rows of its map indexes. It finds them by name, plans the access paths of their conditions, and
// reads their rows.
package companion
