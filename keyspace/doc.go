// Package keyspace is the one page that shows every key: it joins key parts
// and knows prefixes, and no other package does. It reads and writes nothing.
//
// Every key is a FoundationDB tuple below one root element. Tags are small
// integers with gaps; they are never renumbered. "counter" is a 24-byte packed
// counter (package costing), changed by atomic adds.
//
//	key                                              value                      writer             reader
//	(root) META formatVersion                        uint64                     catalog.Open       catalog.Open
//	(root) META schemaVersion                        8-byte little-endian add   catalog DDL        every transaction
//
// (catalog.View)
//
//	(root) META incarnation                          one byte                   catalog.Open       catalog.Open, changes
//	(root) META restoring                            16 random bytes, time      package backup     catalog.Open, backup
//	(root) META storeID                              16 random bytes            catalog            backup
//	(root) META nextID                               uint64                     catalog DDL        catalog DDL
//	(root) CATALOG DATABASES name                    JSON                       catalog DDL        catalog.View
//	(root) CATALOG TABLES database name              JSON                       catalog DDL        catalog.View
//	(root) CATALOG VIEWS database name               JSON                       catalog DDL        catalog.View
//	(root) CATALOG KEYPATHS c NEXT                   uint64                     Dictionary.Assign  Dictionary.Assign
//	(root) CATALOG KEYPATHS c BYNAME keypath         uint64                     Dictionary.Assign  Dictionary
//	(root) CATALOG KEYPATHS c BYNUMBER keypath#      spelled keypath            Dictionary.Assign  Dictionary
//	(root) CATALOG AUTOINC c                         next value, who took some  catalog (sequence) catalog (sequence)
//	(root) CATALOG AUTOINC c VOID                    uint64                     catalog (sequence) every INSERT that
//
// takes values
//
//	(root) CATALOG TEMPORARY process                 8-byte little-endian add   catalog            jobs (sweep)
//	(root) CATALOG TEMPORARY process c               empty                      catalog            transactions that
//
// use c, jobs (sweep)
//
//	(root) JOBS NEXT                                 uint64                     jobs.Enqueue       jobs.Enqueue
//	(root) JOBS WAKE                                 8-byte little-endian add   jobs               jobs.Runner watches it
//	(root) JOBS ACTIVE job                           JSON                       jobs               jobs
//	(root) JOBS FINISHED job                         JSON                       jobs.Runner        jobs.List
//	(c) DOC  pk chunk                                header, JSON text          tables.put         tables
//	(c) META pk                                      package changes            changes.Append     changes.Append,
//
// tables.Check
//
//	(c) IDX v LANES block                            one byte for each lane     lanes              lanes
//	(c) IDX v SUMS block                             32 counters                lanes              lanes
//	(c) IDX v INFO entries                           counter                    costing.Counts     costing
//	(c) IDX v INFO documents                         counter                    costing.Counts     costing
//	(c) IDX v PATHS keypath# kind                    counter                    costing.Counts     costing
//	(c) IDX v KVS keypath# fieldVersion value pk pos empty                      indexes.Maintainer indexes.Cursor
//	(c) IDX v DECLARED n value… pk                   empty                      indexes.Maintainer tables
//	(c) IDX v OMITTED n pk                           empty                      indexes.Maintainer tables
//	(c) VIEW g ROWS view key pk n            row (rfcs/0022)            mapindex           mapindex
//	(c) VIEW g IDS pk [part]                 what a document emitted    mapindex           mapindex
//	(c) VIEW g INFO view                     counter                    mapindex           mapindex
//	(c) VIEW g UPTO                          a sequence                 mapindex           mapindex
//	(c) VIEW g ERRORS pk view                JSON                       mapindex           sqlfdb.map_errors
//	(c) CHG sequence                                 package changes            changes.Append     changes
//	(c) NEWEST                                       versionstamp               changes.Append     changes.Log (a watch)
//	(c) BULK digest                              JSON                       sqlbackend         sqlbackend (rfcs/0012)
//	(c) TXN id                                       empty                      sqlbackend, transfer  kv.Resolve, jobs
//
// (sweep)
//
//	(0) TXN id                                       empty                      catalog.Transact   kv.Transact, jobs
//
// (sweep)
//
// (c) is (root) COLLECTION c, c the collection's number. A collection's number
// is never used again: TRUNCATE gives the table a new one and clears the old range.
// Temporary tables have the numbers below 0 (rfcs/0017).
// (0) belongs to no collection: the markers of changes of definitions stand there.
//
// v is the version of the collection's index. While an index is rebuilt there are
// entries and counters of the former version (catalog.Table.Formers) and of the new one.
//
// A counter is the sum of the value at its own key and the value in its lane of a block. Package lanes makes one of
// the two, so that nothing above it knows of blocks. A version of an index that has been cleared is never filled
// again.
//
// g is the number of a group of map indexes, view a function in it, key package mapindex's encoding.
//
// n is the number of a declared index, and there is one value for each of its columns:
// OMITTED has the documents whose entry would have too long a key.
//
// pk is one byte-string element per column of the primary key, packed. value is one byte-string element that holds
// package ordered's encoding. pos is one integer for a value outside arrays (0), and one for each enclosing array
// otherwise (the 1-based index), outermost first.
package keyspace
