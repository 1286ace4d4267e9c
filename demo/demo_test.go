package demo

import (
	"crypto/sha256"
	"encoding/hex"
	"testing"
)

// TestSameEveryTime: the documents are made anew on every machine, so their
// text must not depend on anything but the code.
func TestSameEveryTime(t *testing.T) {
	h := sha256.New()
	total := 0
	for _, c := range Collections() {
		for i := range c.Documents {
			d, err := c.Document(i)
			if err != nil {
				t.Fatalf("%s %d: %v", c.Name, i, err)
			}
			h.Write(d.Raw())
			total++
		}
	}
	if total != 20_000 {
		t.Errorf("%d documents, want 20,000", total)
	}
	const want = "693e33df821c042a885fdd23f7dbb1889dd7fce96cc6a9303bb9ce6ab10c7a5f"
	if got := hex.EncodeToString(h.Sum(nil)); got != want {
		t.Errorf("the sample documents have changed: %s, want %s", got, want)
	}
}
