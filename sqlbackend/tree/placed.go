package tree

// Placed is an expression whose value depends on its place in the plan: elsewhere it has another value for the same
// row.
type Placed interface{ Placed() }

// Stored is a table whose views and derived tables can become part of the query around them: its rows are a
// collection's documents, or the elements of arrays within them.
type Stored interface{ StoredRows() }

// Bound is a subquery's node whose columns have the types of its whole result, not of its first rows.
type Bound interface{ BoundRows() }
