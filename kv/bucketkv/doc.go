// Package bucketkv is the engine of a store that is one object in an object store. All keys and values are held in
// memory. A commit writes the whole object, on the condition that it is as this process knows it.
//
// It is for small data that changes seldom: definitions, accounts, the records of jobs. Several processes may have
// one object open. The loser of a race of two commits reads the object, which lists the latest commits with the
// ranges of keys that they have written. So it finds out as any engine does whether it conflicts.
//
// Other processes' commits are seen by transactions that begin Options.Refresh later or more: so an idle process
// makes no requests. A watch fires for another process's commit once a transaction has seen it.
//
// Keys in Options.Local are this process's alone. They are kept in memory, cost no request, and end with the store.
package bucketkv
