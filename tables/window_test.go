package tables

import "testing"

// TestNextWindow: more documents are fetched ahead as long as they are small.
func TestNextWindow(t *testing.T) {
	for _, c := range []struct {
		window int
		read   Work
		want   int
	}{
		{firstWindow, Work{}, 2 * firstWindow},
		{maxWindow, Work{}, maxWindow},
		{64, Work{Documents: 10, Bytes: 5000}, 128},
		{maxWindow, Work{Documents: 10, Bytes: 10 * 16 << 10}, 256},
		{maxWindow, Work{Documents: 10, Bytes: 10 * 64 << 10}, 64},
		{maxWindow, Work{Documents: 1, Bytes: 4 << 20}, windowBytes / chunkSize},
		{firstWindow, Work{Documents: 3, Bytes: 0}, 2 * firstWindow},
	} {
		if got := NextWindow(c.window, c.read); got != c.want {
			t.Errorf("behind %d, with %+v: %d, not %d", c.window, c.read, got, c.want)
		}
	}
}
