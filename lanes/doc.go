// Package lanes is a store whose counters share values: where many sessions insert at once, each of the some thirty
// counters that a document changes is a mutation that meets all the others' at one server, and they cost as much as the
// index's entries do (rfcs/0013). Side by side in one value, each in a lane of 24 bytes, they are changed by one atomic
// add, whose operand is as wide as the value.
//
// What is above sees none of that. A counter has its key, is read there, added to, set and cleared there, and stands
// there when a range is walked; the keys of the blocks can't be seen. What is stored is the sum of two parts, one at
// the counter's key and one in its lane, either of which may be less than zero; an add goes to one of them. So a store
// without blocks needs no conversion, and an add is right whichever way it takes. Nothing is pending, and nothing needs
// to be folded.
//
// A keypath has one lane, which counts values of one kind: the first for which somebody wanted it. The values of other
// kinds, of which there are few, are counted at their keys. The block's other key says which kinds these are; a byte of
// it is set once, in a transaction of its own, and never changes, so that a process may keep it.
//
// Conflicts are those of counters that have a key each, or a little more. Blocks are read as snapshots. Who rests on a
// counter conflicts with adds at its key; and where it has a lane, with writes among the keypath's entries: who changes
// a count changes an entry, or else says that it writes the counter's key. Where a keypath has no lane yet, with its
// getting one.
package lanes
