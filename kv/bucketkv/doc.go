// Package bucketkv is the engine of a store that is one object in an object store: all that is kept is held in memory,
// and a commit writes the whole object, with the condition that it is as this process knows it.
//
// It is for what is small and changes seldom: definitions, accounts, the records of jobs. Several processes may have
// one object open. Who loses the race of two commits reads the object, which lists the latest commits with the ranges
// of keys that they have written, and finds out as any engine does whether he conflicts.
//
// What other processes have committed is seen after Options.Refresh at the latest, by who begins a transaction then: so
// an idle process makes no requests. A watch fires for another process's commit once that has been seen.
//
// Keys in Options.Local are this process's alone. They are kept in memory, cost no request, and end with the store.
package bucketkv
