// Package edition holds which version of sort keys a process has, for tests of what happens when it changes.
package edition

import "sync/atomic"

// Other is the version that takes the place of the program's own; nil outside of tests.
var Other atomic.Pointer[string]
