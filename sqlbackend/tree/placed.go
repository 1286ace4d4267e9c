package tree

// Placed is an expression whose value belongs to the place where it stands: computed elsewhere of the same row, it is
// another one.
type Placed interface{ Placed() }

// Stored is a table that a view or a derived table of it becomes part of a query as: its rows are a collection's
// documents, or the elements of arrays within them.
type Stored interface{ StoredRows() }

// Bound is a subquery's node whose columns have the types that the whole of it gives, not those of its first rows.
type Bound interface{ BoundRows() }
