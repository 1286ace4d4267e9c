// Package pebblekv is the embedded engine of kv: one process, one directory, Pebble below.
// It does not know the meaning of the keys, and nothing of Pebble shows above it.
//
// # The commit pipeline
//
// A transaction reads one Pebble snapshot, the read state that was the newest one when it
// began, and keeps its writes as a list of operations. Commit sorts the reads and writes,
// checks them against the conflict window up to the newest published version, and enqueues
// the transaction. So the long checks of long transactions run outside the pipeline, side
// by side. Two goroutines do the rest:
//
//	resolve   takes the whole queue as a group; gives it the next commit
//	          version and each member its order in it; checks each member, in
//	          order, against what the window has gained since its own check
//	          and against the members before it; turns adds into sums
//	          of the last values, which it keeps; fills in versionstamps; writes the group and the
//	          version into one Pebble batch, which goes to the log and the
//	          memtable; takes a Pebble snapshot; passes the group on
//	publish   waits for the log to be synced; makes that snapshot the newest
//	          read state; fires watches; wakes the members
//
// While one group waits for the disk the next is resolved, so the disk and the
// processor work at the same time, and a group grows while it waits.
//
// # Why this is strictly serializable
//
// Versions rise with every group, and resolve is one goroutine, so (version,
// order) totally orders all commits. A transaction that commits at version c
// and read at version r saw exactly the commits up to r, because a snapshot is
// taken between two groups. Everything committed in between, and every member
// before it in its own group, has been checked against its read ranges: had one
// of them written there it would have failed. So its reads would give the same
// at c, and running it at (c, order) alone is what happened. The order agrees
// with real time: Commit returns after its state was published, and Begin takes
// the newest published state.
//
// A group is visible to no one before it is on disk. Its snapshot is published only after
// the sync, and later groups, which may have resolved adds from it, stand behind it in the
// log and are published after it. A crash keeps a prefix of the log: whole groups (a batch
// is one record with a checksum), and every group that was acknowledged.
//
// # What waits for what
//
// Begin, reads and enqueueing take short mutexes that are never held over the disk. A read
// of Pebble may read a block from disk, and waits for nothing else. Commits wait for the
// log, and for flushes when these can't keep up.
//
// # When the disk fails
//
// A log that can't be written or synced leaves the outcome of the groups in it
// unknown: they return kv.ErrUnknownCommit. From then on the store refuses
// commits with kv.ErrFailed, and goes on reading the last published state.
// Opening the directory again shows what is on disk.
//
// # Keys on disk
//
// User keys are stored as they are; they are below 0xff. The engine's own keys stand at
// 0xff and above: the last commit version, and the journal of sums.
//
// # Sums
//
// A commit may add to dozens of keys, the counters of a document's keypaths, and each would
// be a key more in Pebble's memtable. So a group writes the sums of its adds as one record
// of a journal (journal.go), and every few hundred groups all sums are written to their
// keys (folded). In between they are in memory: each read state has the sums of its version
// (pending.go), which are read before Pebble's keys and merged into scans. Opening a store
// folds the journal.
package pebblekv
