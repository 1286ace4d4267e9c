package sqlbackend

// OnTraffic sets the function that returns how many bytes a connection has received and sent. It is called before the
// first session begins.
func (b *Backend) OnTraffic(f func(connection uint32) (received, sent uint64)) { b.Traffic = f }
