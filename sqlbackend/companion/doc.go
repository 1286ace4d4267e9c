// Package companion makes the tables that accompany a collection: child tables of the elements of its arrays, its
// change feed, and the rows of its map indexes. It finds them by name, plans access paths for their conditions, and
// reads their rows.
package companion
