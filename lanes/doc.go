// Package lanes is a store whose counters share values. A document changes about thirty counters. Where many sessions
// insert at once, each is a mutation that meets all others at one server. They cost as much as the index's entries do
// (rfcs/0013). Side by side in one value, each in a lane of 24 bytes, they are changed by one atomic add, whose
// operand is as wide as the value.
//
// The layers above see none of that. A counter has its key, is read there, added to, set and cleared there, and
// stands there when a range is walked; the keys of the blocks can't be seen. Its value is the sum of two stored
// parts, one at the counter's key and one in its lane, either of which may be less than zero. An add goes to one of
// them. So a store without blocks needs no conversion, and an add is right either way. Nothing is pending, and
// nothing needs to be folded.
//
// A keypath has one lane, which counts values of one kind: the first kind for which a lane was wanted. The values of
// other kinds, of which there are few, are counted at their keys. The block's other key holds the kinds of its lanes.
// A byte of it is set once, in a transaction of its own, and does not change, so that a process may keep it.
//
// Conflicts are the same as for counters that have a key each, or a little more. Blocks are read as snapshots. A
// transaction that rests on a counter conflicts with adds at its key. Where the counter has a lane, it also conflicts
// with writes among the keypath's entries. A change of a count changes an entry, or else declares a write of the
// counter's key. Where a keypath has no lane yet, it conflicts with the assignment of one.
package lanes
