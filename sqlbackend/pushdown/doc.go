// Package pushdown turns the conjuncts of a WHERE clause into spans over the encoded values of keypaths and primary
// keys, and says which conjuncts are left for the filter.
//
// It reads no counts and chooses no access path (package costing does), it
// reads no data, and it never changes an expression.
//
// Two rules hold for everything here. A span set holds at least every value for which the predicate is true: doubt
// widens it. A conjunct counts as answered only where the span set holds no other value: then its filter may be
// dropped. A predicate that can't be analysed constrains nothing.
//
// Predicates have SQL's three values. Each is analysed into the values that make it true and the values that make it
// false; a value in neither set makes it NULL. NOT swaps the two sets. AND intersects the first and unites the
// second, OR the reverse, so that De Morgan's laws and NULL need no cases of their own. A document that lacks the
// keypath has no entry; whether such a document can satisfy the predicate is kept beside the sets.
//
// The contents of an array lie at keypaths of their own, where a document has several values, so that neither
// intersection nor NOT has a meaning there. Predicates about them, and OR over different keypaths, have covers
// instead: spans at several keypaths. A document for which the predicate is true must have an entry in one of them.
package pushdown
