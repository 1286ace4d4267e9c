// Package lint holds the rules of the house as functions over a source tree. They are which
// package may import which, one package comment per package, the length of files, and the
// words and habits that stay out. Its tests apply them to this repository, and to small
// trees that break each rule.
//
// It reads files and parses them in-process. It runs no command and knows nothing of git or
// of the go command. So go test sees every file that a rule has read, and never answers
// from its cache after a change.
package lint
