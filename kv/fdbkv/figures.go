//go:build fdb

package fdbkv

import (
	"context"
	"encoding/json"

	"github.com/apple/foundationdb/bindings/go/src/fdb"

	"github.com/sqlfdb/sqlfdb/kv"
)

// statusKey is where the client shows the cluster's status.
const statusKey = "\xff\xff/status/json"

// status are the parts of it that are used.
type status struct {
	Client struct {
		DatabaseStatus struct{ Available bool } `json:"database_status"`
	}
	Cluster struct {
		Data struct {
			KeyValueBytes int64 `json:"total_kv_size_bytes"`
			DiskBytes     int64 `json:"total_disk_used_bytes"`
		}
		QOS struct {
			StorageQueue int64                        `json:"worst_queue_bytes_storage_server"`
			LogQueue     int64                        `json:"worst_queue_bytes_log_server"`
			StorageLag   struct{ Seconds float64 }    `json:"worst_data_lag_storage_server"`
			Limit        float64                      `json:"transactions_per_second_limit"`
			LimitedBy    struct{ Description string } `json:"performance_limited_by"`
		}
		Workload struct {
			Transactions struct {
				Committed, Conflicted, Started struct{ Counter float64 }
			}
		}
		Processes map[string]struct{ Degraded bool }
	}
}

// Figures implements kv.Store: the cluster's status, and this process's open transactions. A cluster that does not
// answer has no further figures.
func (s *store) Figures() (out []kv.Figure) {
	add := func(name, help string, value float64) {
		out = append(out, kv.Figure{Name: name, Help: help, Value: value})
	}
	s.mu.Lock()
	add("transactions_open", "Transactions that are open.", float64(len(s.open)))
	closed := s.closed
	s.mu.Unlock()
	if closed {
		return out
	}
	ctx, cancel := context.WithTimeout(context.Background(), s.patience)
	defer cancel()
	var of status
	available := 0.0
	if raw, err := s.status(ctx); err == nil && json.Unmarshal(raw, &of) == nil && of.Client.DatabaseStatus.Available {
		available = 1
	}
	add("available", "1 where the cluster answers.", available)
	if available == 0 {
		return out
	}
	c := &of.Cluster
	degraded := 0
	for _, p := range c.Processes {
		if p.Degraded {
			degraded++
		}
	}
	add("processes", "Processes of the cluster.", float64(len(c.Processes)))
	add("processes_degraded", "Processes of the cluster that are degraded.", float64(degraded))
	add("kv_bytes", "Bytes of the cluster's keys and values.", float64(c.Data.KeyValueBytes))
	add("disk_bytes", "Bytes that the cluster takes on its disks.", float64(c.Data.DiskBytes))
	add("storage_queue_bytes", "The longest queue of a storage server.", float64(c.QOS.StorageQueue))
	add("log_queue_bytes", "The longest queue of a log server.", float64(c.QOS.LogQueue))
	add("storage_lag_seconds", "How far the slowest storage server is behind.", c.QOS.StorageLag.Seconds)
	add("transactions_limit", "How many transactions a second the cluster lets begin.", c.QOS.Limit)
	t := &c.Workload.Transactions
	add("commits_total", "Transactions that the cluster has committed.", t.Committed.Counter)
	add("commit_conflicts_total", "Transactions of the cluster that met a conflict.", t.Conflicted.Counter)
	return out
}

// status reads the cluster's status.
func (s *store) status(ctx context.Context) ([]byte, error) {
	tx, err := s.db.CreateTransaction()
	if err != nil {
		return nil, err
	}
	stop := context.AfterFunc(ctx, tx.Cancel)
	defer stop()
	return tx.Get(fdb.Key(statusKey)).Get()
}
