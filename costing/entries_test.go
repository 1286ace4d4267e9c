package costing

import "testing"

// Entries that are all that is wanted cost less than a scan where documents
// fetched along as many cost more.
func TestEntriesOnly(t *testing.T) {
	fetched := Candidate{Name: "fetched", Keypath: "a[*]"}
	alone := Candidate{Name: "alone", Keypath: "b[*]", EntriesOnly: true}
	of := Estimate{Keys: 60, Bound: 60}
	if c := Choose(100, []Candidate{fetched}, []Estimate{of}); c.Chosen != -1 {
		t.Errorf("60 fetched documents are chosen over 100 scanned ones: %+v", c)
	}
	if c := Choose(100, []Candidate{fetched, alone}, []Estimate{of, of}); c.Chosen != 1 || c.Cost >= 60 {
		t.Errorf("60 entries alone are not chosen: %+v", c)
	}
}
