package kv

// Figure is a number that a store reports about itself, for monitoring.
type Figure struct {
	// Name is in Prometheus' style, without the product's name: the names of counters that only grow end in _total,
	// times are in seconds.
	Name string
	Help string
	// Labels are names and values in turn.
	Labels []string
	Value  float64
	// Buckets make a histogram of it, of which Value is the sum and Count how many there are.
	Buckets []Bucket
	Count   uint64
}

// Bucket is how many of a histogram are not above a bound.
type Bucket struct {
	To    float64
	Count uint64
}
