// Package jobs runs resumable background work in small steps under a lease. It plans no
// statement and knows no engine; the functions for the steps are registered.
//
// A job is one JSON value in the store. Every step is one transaction that reads the job,
// does a bounded piece of work and saves the job's checkpoint. So a process that dies
// between two steps, or in the middle of one, neither loses nor repeats anything. The job's
// value is its lease too: it names the process that works on it and changes with every
// step. A process takes over another one's job when the value has not changed for a while
// on its own clock: no clocks of two machines are compared. A lease only keeps two
// processes from doing the same work; if both do, their transactions conflict on the job.
//
// The scheme is the same as for the online indexer in FoundationDB's record layer.
package jobs
