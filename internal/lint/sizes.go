package lint

import (
	"bytes"
	_ "embed"
	"fmt"
	"unicode/utf8"
)

// Bound is how large a package may be; its tests don't count.
type Bound struct {
	Files, Lines int
}

// MaxPackage is the bound of every package.
var MaxPackage = Bound{Files: 45, Lines: 9000}

// SizeOf counts the files and lines of a package without its tests.
func SizeOf(pkg *Package) Bound {
	var size Bound
	for _, f := range pkg.Files {
		if !f.Test() {
			size.Files++
			size.Lines += bytes.Count(f.Text, []byte("\n"))
		}
	}
	return size
}

// Sizes reports packages over the bound.
func Sizes(t *Tree, most Bound) []Violation {
	var found []Violation
	for _, pkg := range t.Packages {
		size := SizeOf(pkg)
		if size.Files <= most.Files && size.Lines <= most.Lines {
			continue
		}
		found = append(found, Violation{Path: pkg.Path, Message: fmt.Sprintf(
			"%d files with %d lines, over %d with %d: divide it by its jobs", size.Files, size.Lines, most.Files, most.Lines)})
	}
	return found
}

// Widths reports lines of Go files over MaxColumns characters.
func Widths(t *Tree) []Violation {
	var found []Violation
	for _, pkg := range t.Packages {
		for _, f := range pkg.Files {
			for i, line := range bytes.Split(f.Text, []byte("\n")) {
				if n := utf8.RuneCount(line); n > MaxColumns {
					found = append(found, Violation{Path: f.Path, Line: i + 1, Message: fmt.Sprintf(
						"%d characters, over %d: break the line", n, MaxColumns)})
				}
			}
		}
	}
	return found
}
