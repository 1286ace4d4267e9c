package lint

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"sort"
	"strconv"
	"strings"

	"golang.org/x/mod/modfile"
)

// Tree is the source of one module.
type Tree struct {
	Module   string     // the module's path
	Requires []Require  // go.mod's requirements, sorted by path
	Packages []*Package // every directory that holds Go files, sorted by Path
	Files    []*File    // every text file of the repository, sorted by Path
}

// Require is one requirement of go.mod.
type Require struct {
	Path, Version string
}

// Package is one directory of Go files.
type Package struct {
	Path  string // slash-separated, from the module's root; "." is the root
	Files []*File
}

// File is one text file.
type File struct {
	Path string // slash-separated, from the module's root
	Text []byte
	// Syntax is nil when the file is not Go source of a package.
	Syntax *ast.File
	Set    *token.FileSet
}

// Test reports whether the file is compiled by go test alone.
func (f *File) Test() bool { return strings.HasSuffix(f.Path, "_test.go") }

// Line returns the 1-based line of a position in the file.
func (f *File) Line(p token.Pos) int { return f.Set.Position(p).Line }

// Imports returns the paths that the file imports with the line of each, in
// the order of the file.
func (f *File) Imports() []Import {
	var imports []Import
	for _, spec := range f.Syntax.Imports {
		p, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue // the parser has refused such a literal already
		}
		imports = append(imports, Import{Path: p, Line: f.Line(spec.Pos())})
	}
	return imports
}

// Import is one import declaration.
type Import struct {
	Path string
	Line int
}

// Violation is one place that breaks a rule.
type Violation struct {
	Path    string // file or package, from the module's root
	Line    int    // 0 when the whole file or package is meant
	Message string
}

// String spells the violation as compilers do.
func (v Violation) String() string {
	if v.Line == 0 {
		return v.Path + ": " + v.Message
	}
	return fmt.Sprintf("%s:%d: %s", v.Path, v.Line, v.Message)
}

// FindRoot returns the directory of go.mod at or above dir.
func FindRoot(dir string) (string, error) {
	start, err := filepath.Abs(dir)
	if err != nil {
		return "", fmt.Errorf("lint: %w", err)
	}
	for d := start; ; d = filepath.Dir(d) {
		if _, err := os.Stat(filepath.Join(d, "go.mod")); err == nil {
			return d, nil
		}
		if d == filepath.Dir(d) {
			return "", fmt.Errorf("lint: no go.mod at or above %s", start)
		}
	}
}

// Load reads the module at root, without the files that .gitignore excludes. Files with any
// build constraint are read.
func Load(root string) (*Tree, error) {
	ignored, err := readIgnored(root)
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	err = filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // a file that came and went while the tree was walked
		}
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		switch {
		case rel == ".":
			return nil
		case entry.Name() == ".git" && !entry.IsDir():
			return nil // a second work tree says here where its repository is
		case entry.IsDir() && (entry.Name() == ".git" || ignored(rel)):
			return fs.SkipDir
		case !entry.Type().IsRegular() || ignored(rel):
			return nil
		}
		text, err := os.ReadFile(name)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		files[rel] = text
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("lint: read %s: %w", root, err)
	}
	return Parse(files)
}

// Parse makes a tree of files by their slash-separated path from the root. It
// leaves out files that are not text.
func Parse(files map[string][]byte) (*Tree, error) {
	mod, err := modfile.Parse("go.mod", files["go.mod"], nil)
	if err != nil {
		return nil, fmt.Errorf("lint: parse go.mod: %w", err)
	}
	if mod.Module == nil {
		return nil, errors.New("lint: go.mod names no module")
	}
	tree := &Tree{Module: mod.Module.Mod.Path}
	for _, r := range mod.Require {
		tree.Requires = append(tree.Requires, Require{Path: r.Mod.Path, Version: r.Mod.Version})
	}
	sort.Slice(tree.Requires, func(i, j int) bool { return tree.Requires[i].Path < tree.Requires[j].Path })

	packages := map[string]*Package{}
	for name, text := range files {
		if bytes.IndexByte(text, 0) >= 0 {
			continue
		}
		file := &File{Path: name, Text: text, Set: token.NewFileSet()}
		tree.Files = append(tree.Files, file)
		if !isPackageFile(name) {
			continue
		}
		file.Syntax, err = parser.ParseFile(file.Set, name, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, fmt.Errorf("lint: parse %s: %w", name, err)
		}
		dir := path.Dir(name)
		if packages[dir] == nil {
			packages[dir] = &Package{Path: dir}
			tree.Packages = append(tree.Packages, packages[dir])
		}
		packages[dir].Files = append(packages[dir].Files, file)
	}
	sort.Slice(tree.Files, func(i, j int) bool { return tree.Files[i].Path < tree.Files[j].Path })
	sort.Slice(tree.Packages, func(i, j int) bool { return tree.Packages[i].Path < tree.Packages[j].Path })
	for _, p := range tree.Packages {
		sort.Slice(p.Files, func(i, j int) bool { return p.Files[i].Path < p.Files[j].Path })
	}
	return tree, nil
}

// isPackageFile reports whether a file is Go source of a package. The go command ignores
// the others too: testdata, vendor, and names that begin with a dot or an underscore.
func isPackageFile(name string) bool {
	if !strings.HasSuffix(name, ".go") {
		return false
	}
	for _, part := range strings.Split(name, "/") {
		if part == "testdata" || part == "vendor" || strings.HasPrefix(part, ".") || strings.HasPrefix(part, "_") {
			return false
		}
	}
	return true
}

// readIgnored reads the root's .gitignore. Of git's language it knows what the
// file uses: a name at any depth, and, with a slash, a path from the root.
func readIgnored(root string) (func(rel string) bool, error) {
	text, err := os.ReadFile(filepath.Join(root, ".gitignore"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("lint: %w", err)
	}
	var names, paths []string
	for _, line := range strings.Split(string(text), "\n") {
		line = strings.TrimSuffix(strings.TrimSpace(line), "/")
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case strings.ContainsAny(line, "!") || strings.Contains(line, "**"):
			return nil, fmt.Errorf("lint: .gitignore: %q is beyond what this package reads", line)
		case strings.Contains(line, "/"):
			paths = append(paths, strings.TrimPrefix(line, "/"))
		default:
			names = append(names, line)
		}
	}
	matches := func(patterns []string, s string) bool {
		for _, p := range patterns {
			if ok, err := path.Match(p, s); err == nil && ok {
				return true
			}
		}
		return false
	}
	return func(rel string) bool {
		return matches(paths, rel) || matches(names, path.Base(rel))
	}, nil
}
