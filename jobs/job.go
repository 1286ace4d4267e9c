package jobs

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/keyspace"
	"github.com/sqlfdb/sqlfdb/kv"
)

// State is where a job stands.
type State string

// States of a job. A job that failed in a step and will be tried again stays
// StateRunning, with its error and the number of attempts.
const (
	StateQueued  State = "queued"  // nobody has begun, or it rests
	StateRunning State = "running" // a process works on it
	StateDone    State = "done"
	StateFailed  State = "failed" // it will not be tried again
	// StateHeld is never stored: List's caller shows it for work that this
	// process holds back.
	StateHeld State = "held"
)

// Ended reports whether the job will do nothing more.
func (s State) Ended() bool { return s == StateDone || s == StateFailed }

// ErrPermanent: trying again would not help. A step's error that wraps it ends the job.
var ErrPermanent = errors.New("job can't go on")

// Job is one piece of background work.
type Job struct {
	ID   int64
	Kind string
	// Collection is the number of the collection that the job works on; 0 for
	// one that concerns the whole store. Jobs of one collection run one after
	// the other, in the order of their numbers.
	Collection int64 `json:",omitempty"`
	// Database and Table are the names that the collection's table had when the
	// job was enqueued.
	Database string `json:",omitempty"`
	Table    string `json:",omitempty"`
	State    State
	// Beside, if it is not empty, is the same for jobs of a collection that are worked on at the same time, each by a
	// process of its own.
	Beside string `json:",omitempty"`
	// Checkpoint is the step function's own: where to go on. Together with the
	// rest of the job it must stay below kv.MaxValueSize; keep it below 40,000 bytes.
	Checkpoint []byte `json:",omitempty"`
	Progress   Progress
	// Attempts is the number of failures since the last step that succeeded,
	// Error the last failure. A success clears both.
	Attempts int    `json:",omitempty"`
	Error    string `json:",omitempty"`
	// Rest, set by a step, makes a process that sees the job let it lie for
	// that many seconds first.
	Rest int64 `json:",omitempty"`

	// Holder is the process that works on the job, Beat the number of steps and
	// failures: it changes with every transaction of the holder.
	Holder string `json:",omitempty"`
	Beat   int64  `json:",omitempty"`

	// Failure, set by a step that ends the job, is the error that it ends with. The step's
	// writes stay.
	Failure string `json:"-"`
	// Definition is the table of the collection in a step's transaction; nil for
	// Collection 0. It must not be changed.
	Definition *catalog.Table `json:"-"`
	// Budget is about how many bytes of documents a step should go through. It must do at
	// least the smallest piece of work. The bound shrinks when steps conflict or grow too
	// large.
	Budget int64 `json:"-"`
}

// Progress is the part of a job that sqlfdb.jobs shows. The units are the kind's own:
// documents, mostly.
type Progress struct {
	Done      int64    `json:",omitempty"`
	Of        int64    `json:",omitempty"` // 0 when unknown
	Converted int64    `json:",omitempty"`
	Failed    int64    `json:",omitempty"`
	Message   string   `json:",omitempty"`
	Samples   []string `json:",omitempty"` // examples of failures; keep it short
}

// MaxSamples bounds Progress.Samples.
const MaxSamples = 10

// AddSample keeps an example of a failure, as long as there are few.
func (p *Progress) AddSample(s string) {
	if len(p.Samples) >= MaxSamples {
		return
	}
	if len(s) > 500 {
		s = s[:500]
	}
	p.Samples = append(p.Samples, s)
}

// Transaction is the part of a transaction that Enqueue needs.
type Transaction interface {
	kv.Reader
	kv.Writer
}

// Enqueue stores a new job as a part of tx, a transaction that changes definitions, say: it
// begins when tx has committed. Only the job's kind, collection, names, beside, checkpoint
// and progress are used.
func Enqueue(tx Transaction, job Job) (id int64, err error) {
	raw, err := tx.Get(keyspace.JobNext()).Get()
	if err != nil {
		return 0, fmt.Errorf("jobs: enqueue %s: %w", job.Kind, err)
	}
	id = 1
	if len(raw) == 8 {
		id = int64(binary.LittleEndian.Uint64(raw))
	}
	tx.Set(keyspace.JobNext(), binary.LittleEndian.AppendUint64(nil, uint64(id+1)))
	fresh := Job{ID: id, Kind: job.Kind, Collection: job.Collection, Database: job.Database, Table: job.Table,
		State: StateQueued, Beside: job.Beside, Checkpoint: job.Checkpoint, Progress: job.Progress}
	if err := save(tx, keyspace.ActiveJob(id), &fresh); err != nil {
		return 0, err
	}
	wake(tx)
	return id, nil
}

// Wake makes runners look for work once the transaction has committed.
func Wake(w kv.Writer) { wake(w) }

func wake(w kv.Writer) {
	w.Add(keyspace.JobWake(), binary.LittleEndian.AppendUint64(nil, 1))
}

func save(w kv.Writer, key []byte, job *Job) error {
	b, err := json.Marshal(job)
	if err != nil {
		return fmt.Errorf("jobs: encode job %d: %w", job.ID, err)
	}
	w.Set(key, b)
	return nil
}

func decode(raw []byte) (*Job, error) {
	job := &Job{}
	if err := json.Unmarshal(raw, job); err != nil {
		return nil, fmt.Errorf("jobs: job %q: %w", raw, err)
	}
	return job, nil
}

// List returns all jobs that the reader sees, the ended ones included that are
// still kept, by number. Give it a snapshot reader: a job changes often.
func List(r kv.Reader) ([]Job, error) {
	active, err := listRange(r, keyspace.ActiveJobs())
	if err != nil {
		return nil, err
	}
	ended, err := listRange(r, keyspace.FinishedJobs())
	if err != nil {
		return nil, err
	}
	out := make([]Job, 0, len(active)+len(ended))
	for _, l := range append(ended, active...) {
		out = append(out, *l.job)
	}
	slices.SortFunc(out, func(a, b Job) int { return int(a.ID - b.ID) })
	return out, nil
}

// Active returns the jobs of a collection that have not ended, by number.
func Active(r kv.Reader, collection int64) ([]Job, error) {
	all, err := listRange(r, keyspace.ActiveJobs())
	if err != nil {
		return nil, err
	}
	var out []Job
	for _, l := range all {
		if l.job.Collection == collection {
			out = append(out, *l.job)
		}
	}
	return out, nil
}

// listed is a job with its stored bytes.
type listed struct {
	job *Job
	raw []byte
}

func listRange(r kv.Reader, rg kv.Range) ([]listed, error) {
	it := r.Range(rg, kv.RangeOptions{Streaming: kv.StreamAll})
	defer it.Close()
	var out []listed
	for it.Next() {
		raw := slices.Clone(it.Value())
		job, err := decode(raw)
		if err != nil {
			return nil, err
		}
		out = append(out, listed{job, raw})
	}
	if err := it.Err(); err != nil {
		return nil, fmt.Errorf("jobs: list: %w", err)
	}
	return out, nil
}

// Orphan takes all jobs from their holders, which must be gone: in a copy of a store nobody holds any. Then any
// process may go on with a job at once.
func Orphan(tx Transaction) error {
	active, err := listRange(tx, keyspace.ActiveJobs())
	if err != nil {
		return err
	}
	for _, l := range active {
		job := l.job
		if job.Holder == "" {
			continue
		}
		job.Holder, job.State = "", StateQueued
		job.Beat++
		if err := save(tx, keyspace.ActiveJob(job.ID), job); err != nil {
			return err
		}
	}
	return nil
}

// Busy returns which collections have background work under way, or waiting.
func Busy(r kv.Reader) (map[int64]bool, error) {
	all, err := listRange(r, keyspace.ActiveJobs())
	if err != nil {
		return nil, err
	}
	out := map[int64]bool{}
	for _, l := range all {
		if l.job.Collection != 0 {
			out[l.job.Collection] = true
		}
	}
	return out, nil
}
