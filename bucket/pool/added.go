package pool

import "sync"

// Added are the documents that a statement has added and written before its end. Its own reading is not to find them.
// The zero Added has none.
type Added struct {
	mu  sync.Mutex
	ids map[*shared]map[string]bool
}

// Note adds a document.
func (a *Added) Note(c *Collection, id string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.ids == nil {
		a.ids = map[*shared]map[string]bool{}
	}
	if a.ids[c.shared] == nil {
		a.ids[c.shared] = map[string]bool{}
	}
	a.ids[c.shared][id] = true
}

// Has reports whether a document of a collection has been added.
func (a *Added) Has(c *Collection, id string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.ids[c.shared][id]
}

// Forget begins with none.
func (a *Added) Forget() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.ids = nil
}
