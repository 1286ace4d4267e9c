package indexes

// VersionSpans are the spans to read in one field version of a keypath.
type VersionSpans struct {
	Version int64
	Spans   Spans
}

// InVersion is the one field version with its spans.
func InVersion(version int64, spans Spans) []VersionSpans {
	return []VersionSpans{{Version: version, Spans: spans}}
}
