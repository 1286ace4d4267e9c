package keyspace

import (
	"fmt"

	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/tuple"
)

// rootName is the first element of every key.
const rootName = "sf"

// Tags below the root.
const (
	tagMeta       = 10
	tagCatalog    = 20
	tagJobs       = 30
	tagCollection = 40
)

// Tags below META.
const (
	metaFormatVersion = 10
	metaSchemaVersion = 20
	metaIncarnation   = 30
	metaNextID        = 40
	metaRestoring     = 50
	metaStoreID       = 60
)

// Tags below CATALOG.
const (
	catalogDatabases = 10
	catalogTables    = 20
	catalogViews     = 30
	catalogKeypaths  = 40
	catalogAutoinc   = 50
	catalogTemporary = 60
	catalogAccounts  = 70
)

// Tags below CATALOG KEYPATHS c.
const (
	keypathsNext     = 10
	keypathsByName   = 20
	keypathsByNumber = 30
)

// Tags below CATALOG AUTOINC c.
const autoincVoid = 10

// Tags below JOBS.
const (
	jobsNext     = 10
	jobsWake     = 20
	jobsActive   = 30
	jobsFinished = 40
)

// Tags below a collection.
const (
	tagDocument = 10
	tagDocMeta  = 20
	tagIndex    = 30
	tagView     = 50
	tagChanges  = 60
	tagMarker   = 70
	tagNewest   = 80
	tagBulk     = 90
)

// Tags below (c) IDX v.
const (
	indexLaneKinds = 4
	indexLaneSums  = 6
	indexInfo      = 10
	indexPaths     = 20
	indexEntries   = 30
	indexDeclared  = 40
	indexOmitted   = 50
)

// Tags below (c) IDX v INFO.
const (
	infoEntries   = 10
	infoDocuments = 20
)

// FirstIndexVersion is the version of a collection's first index. Each rebuild
// raises it: the entries and counters of two versions stand side by side meanwhile.
const FirstIndexVersion = 1

var root = tuple.AppendString(nil, rootName)

func key(tags ...int64) []byte {
	dst := append(make([]byte, 0, 32), root...)
	for _, t := range tags {
		dst = tuple.AppendInt(dst, t)
	}
	return dst
}

// Root is the range of every key of the product.
func Root() kv.Range { return kv.PrefixRange(root) }

// FormatVersion is the key of the number of the bytes' format.
func FormatVersion() []byte { return key(tagMeta, metaFormatVersion) }

// SchemaVersion is the key of the counter that every DDL statement raises.
func SchemaVersion() []byte { return key(tagMeta, metaSchemaVersion) }

// Incarnation is the key of the first byte of every sequence.
func Incarnation() []byte { return key(tagMeta, metaIncarnation) }

// NextID is the key of the next collection number.
func NextID() []byte { return key(tagMeta, metaNextID) }

// Restoring is the key that stands while a backup is written into the store.
func Restoring() []byte { return key(tagMeta, metaRestoring) }

// StoreID is the key of the store's id, by which copies of changes since the last copy recognize it.
func StoreID() []byte { return key(tagMeta, metaStoreID) }

// Dictionaries is the range of all numbers of keypaths.
func Dictionaries() kv.Range { return kv.PrefixRange(key(tagCatalog, catalogKeypaths)) }

// Metas is the range of the facts on the store itself.
func Metas() kv.Range { return kv.PrefixRange(key(tagMeta)) }

// Shared is the range of all keys that belong to no collection, without Metas.
func Shared() kv.Range { return kv.Range{Start: key(tagCatalog), End: key(tagCollection)} }

// Databases is the range of all databases; Database is the key of one. Names
// are lower-cased by the caller where names ignore case.
func Databases() kv.Range { return kv.PrefixRange(key(tagCatalog, catalogDatabases)) }

// Database is the key of one database.
func Database(name string) []byte {
	return tuple.AppendString(key(tagCatalog, catalogDatabases), name)
}

// Accounts is the key of the record of all accounts.
func Accounts() []byte { return key(tagCatalog, catalogAccounts) }

// Tables is the range of the tables of all databases.
func Tables() kv.Range { return kv.PrefixRange(key(tagCatalog, catalogTables)) }

// Table is the key of one table's definition.
func Table(database, name string) []byte {
	return tuple.AppendString(tuple.AppendString(key(tagCatalog, catalogTables), database), name)
}

// Views is the range of the SQL views of all databases.
func Views() kv.Range { return kv.PrefixRange(key(tagCatalog, catalogViews)) }

// View is the key of one SQL view.
func View(database, name string) []byte {
	return tuple.AppendString(tuple.AppendString(key(tagCatalog, catalogViews), database), name)
}

// Keypaths is the range of a collection's whole dictionary.
func Keypaths(collection int64) kv.Range {
	return kv.PrefixRange(key(tagCatalog, catalogKeypaths, collection))
}

// KeypathNext is the key of the next keypath number.
func KeypathNext(collection int64) []byte {
	return key(tagCatalog, catalogKeypaths, collection, keypathsNext)
}

// KeypathByName is the key under which a keypath's number stands.
func KeypathByName(collection int64, keypath string) []byte {
	return tuple.AppendString(key(tagCatalog, catalogKeypaths, collection, keypathsByName), keypath)
}

// KeypathByNumber is the key under which a number's keypath stands.
func KeypathByNumber(collection, number int64) []byte {
	return key(tagCatalog, catalogKeypaths, collection, keypathsByNumber, number)
}

// KeypathsFrom is the range of the dictionary's numbers from number on.
func KeypathsFrom(collection, number int64) kv.Range {
	all := key(tagCatalog, catalogKeypaths, collection, keypathsByNumber)
	return kv.Range{Start: KeypathByNumber(collection, number), End: kv.PrefixEnd(all)}
}

// KeypathNumberOf takes the number out of a KeypathByNumber key.
func KeypathNumberOf(k []byte) (int64, error) {
	rest := k
	var err error
	for i := 0; i < 5; i++ {
		if rest, err = tuple.Skip(rest); err != nil {
			return 0, fmt.Errorf("keyspace: dictionary key %x: %w", k, err)
		}
	}
	_, n, err := tuple.DecodeInt(rest)
	if err != nil {
		return 0, fmt.Errorf("keyspace: dictionary key %x: %w", k, err)
	}
	return n, nil
}

// AutoIncrement is the key of a table's next AUTO_INCREMENT value.
func AutoIncrement(collection int64) []byte {
	return key(tagCatalog, catalogAutoinc, collection)
}

// AutoIncrementVoid is the key of the greatest value that no process may hand out any more, though one has reserved
// it.
func AutoIncrementVoid(collection int64) []byte {
	return key(tagCatalog, catalogAutoinc, collection, autoincVoid)
}

// AutoIncrements is the range of both.
func AutoIncrements(collection int64) kv.Range { return kv.PrefixRange(AutoIncrement(collection)) }

// Jobs is the range of everything that concerns background jobs.
func Jobs() kv.Range { return kv.PrefixRange(key(tagJobs)) }

// JobNext is the key of the next job's number.
func JobNext() []byte { return key(tagJobs, jobsNext) }

// JobWake is the key of the counter that is raised when there is work to look for.
func JobWake() []byte { return key(tagJobs, jobsWake) }

// ActiveJobs is the range of the jobs that have not ended.
func ActiveJobs() kv.Range { return kv.PrefixRange(key(tagJobs, jobsActive)) }

// ActiveJob is the key of a job that has not ended.
func ActiveJob(id int64) []byte { return key(tagJobs, jobsActive, id) }

// FinishedJobs is the range of the jobs that have ended.
func FinishedJobs() kv.Range { return kv.PrefixRange(key(tagJobs, jobsFinished)) }

// FinishedJob is the key of a job that has ended.
func FinishedJob(id int64) []byte { return key(tagJobs, jobsFinished, id) }
