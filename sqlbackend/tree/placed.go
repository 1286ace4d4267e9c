package tree

// Placed is an expression whose value belongs to the place where it stands: computed elsewhere of the same row, it is
// another one.
type Placed interface{ Placed() }

// Bound is a subquery's node whose columns have the types that the whole of it gives, not those of its first rows.
type Bound interface{ BoundRows() }
