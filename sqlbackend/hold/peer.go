package hold

// Peer is the value by which rows of a window are ordered, where only that counts.
type Peer struct {
	Value interface{}
}
