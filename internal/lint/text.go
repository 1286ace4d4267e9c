package lint

import (
	"bytes"
	"fmt"
	"go/ast"
	"regexp"
	"slices"
	"strings"
)

// MaxLines is how long a Go file that is not a test may be.
const MaxLines = 600

// PackageComments reports packages without exactly one package comment that is attached to
// its clause and begins with the package's name. A package that consists of tests has it in
// one of its tests.
func PackageComments(t *Tree) []Violation {
	var found []Violation
	for _, pkg := range t.Packages {
		files := make([]*File, 0, len(pkg.Files))
		for _, f := range pkg.Files {
			if !f.Test() {
				files = append(files, f)
			}
		}
		if len(files) == 0 {
			files = pkg.Files
		}
		want := "Package " + files[0].Syntax.Name.Name + " "
		if files[0].Syntax.Name.Name == "main" {
			want = "Command " + pkg.Path[strings.LastIndex(pkg.Path, "/")+1:] + " "
		}
		var with []*File
		for _, f := range files {
			for _, group := range f.Syntax.Comments {
				if group != f.Syntax.Doc && group.End() < f.Syntax.Package && strings.HasPrefix(group.Text(), want) {
					found = append(found, Violation{Path: f.Path, Line: f.Line(group.Pos()),
						Message: "the package comment is not attached: take the blank line below it out"})
				}
			}
			if f.Syntax.Doc == nil {
				continue
			}
			with = append(with, f)
			if text := f.Syntax.Doc.Text(); !strings.HasPrefix(text, want) || !strings.Contains(text, ".") {
				found = append(found, Violation{Path: f.Path, Line: f.Line(f.Syntax.Doc.Pos()),
					Message: fmt.Sprintf("the package comment must begin with %q and say the one job in a sentence", want)})
			}
		}
		switch {
		case len(with) == 0:
			found = append(found, Violation{Path: pkg.Path, Message: fmt.Sprintf(
				"no package comment: one file must begin with %q and the package's one job, directly above the clause",
				"// "+want)})
		case len(with) > 1:
			for _, f := range with[1:] {
				found = append(found, Violation{Path: f.Path, Line: f.Line(f.Syntax.Doc.Pos()),
					Message: "a second package comment; the first is in " + with[0].Path})
			}
		}
	}
	return found
}

// Lengths reports Go files over MaxLines, tests excepted.
func Lengths(t *Tree) []Violation {
	var found []Violation
	for _, pkg := range t.Packages {
		for _, f := range pkg.Files {
			if n := bytes.Count(f.Text, []byte("\n")); n > MaxLines && !f.Test() {
				found = append(found, Violation{Path: f.Path,
					Message: fmt.Sprintf("%d lines, over %d: split it by its nouns", n, MaxLines)})
			}
		}
	}
	return found
}

// BoolParameter excuses an exported function or method from the rule on
// boolean parameters.
type BoolParameter struct {
	Package string // from the module's root
	Name    string // Function, or Type.Method; * stands for any type
	Reason  string
}

// Registering are the packages that register themselves, as Go's own packages ask of them: sql.Open finds a driver by
// its name.
var Registering = map[string]bool{"driver": true}

// Habits reports init functions and exported functions with a boolean
// parameter, whose calls read f(true); and excuses that excuse nothing. A
// function with Bool in its name, such as an encoder, has it for its value.
func Habits(t *Tree, excuses []BoolParameter) []Violation {
	var found []Violation
	used := map[BoolParameter]bool{}
	excused := func(pkg, receiver, name string) bool {
		for _, e := range excuses {
			if e.Package == pkg && slices.Contains([]string{name, receiver + "." + name, "*." + name}, e.Name) {
				used[e] = true
				return true
			}
		}
		return false
	}
	for _, pkg := range t.Packages {
		for _, f := range pkg.Files {
			if f.Test() {
				continue
			}
			report := func(name *ast.Ident, receiver string) {
				if !strings.Contains(name.Name, "Bool") && !excused(pkg.Path, receiver, name.Name) {
					found = append(found, Violation{Path: f.Path, Line: f.Line(name.Pos()), Message: fmt.Sprintf(
						"%s has a boolean parameter: take an options struct", name.Name)})
				}
			}
			for _, decl := range f.Syntax.Decls {
				switch d := decl.(type) {
				case *ast.FuncDecl:
					receiver := receiverName(d)
					if d.Name.Name == "init" && d.Recv == nil && !Registering[pkg.Path] {
						found = append(found, Violation{Path: f.Path, Line: f.Line(d.Pos()),
							Message: "func init: nothing registers itself; construct it where it is used"})
					}
					if d.Name.IsExported() && (d.Recv == nil || ast.IsExported(receiver)) && hasBool(d.Type) {
						report(d.Name, receiver)
					}
				case *ast.GenDecl:
					for _, spec := range d.Specs {
						named, ok := spec.(*ast.TypeSpec)
						if !ok || !named.Name.IsExported() {
							continue
						}
						methods, ok := named.Type.(*ast.InterfaceType)
						if !ok {
							continue
						}
						for _, m := range methods.Methods.List {
							if fn, ok := m.Type.(*ast.FuncType); ok && hasBool(fn) && m.Names[0].IsExported() {
								report(m.Names[0], named.Name.Name)
							}
						}
					}
				}
			}
		}
	}
	for _, e := range excuses {
		if !used[e] {
			found = append(found, Violation{Path: tableFile,
				Message: fmt.Sprintf("nothing needs the excuse of %s.%s: take it out", e.Package, e.Name)})
		}
	}
	return found
}

func hasBool(fn *ast.FuncType) bool {
	for _, p := range fn.Params.List {
		typ := p.Type
		if variadic, ok := typ.(*ast.Ellipsis); ok {
			typ = variadic.Elt
		}
		if name, ok := typ.(*ast.Ident); ok && name.Name == "bool" {
			return true
		}
	}
	return false
}

func receiverName(d *ast.FuncDecl) string {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return ""
	}
	typ := d.Recv.List[0].Type
	for {
		switch x := typ.(type) {
		case *ast.StarExpr:
			typ = x.X
		case *ast.IndexExpr:
			typ = x.X
		case *ast.IndexListExpr:
			typ = x.X
		case *ast.Ident:
			return x.Name
		default:
			return ""
		}
	}
}

// Word is a spelling that stays out of the repository.
type Word struct {
	Pattern *regexp.Regexp
	Reason  string
}

// Words reports the lines of text files that hold one of the words. Files below one of the
// skipped directories, given from the module's root, are not looked at: they hold tests'
// material, or data.
func Words(t *Tree, words []Word, skipped []string) []Violation {
	var found []Violation
files:
	for _, f := range t.Files {
		for _, dir := range skipped {
			if strings.HasPrefix(f.Path, dir+"/") {
				continue files
			}
		}
		for i, line := range bytes.Split(f.Text, []byte("\n")) {
			for _, w := range words {
				if m := w.Pattern.Find(line); m != nil {
					found = append(found, Violation{Path: f.Path, Line: i + 1,
						Message: fmt.Sprintf("%q: %s", bytes.TrimSpace(m), w.Reason)})
				}
			}
		}
	}
	return found
}
