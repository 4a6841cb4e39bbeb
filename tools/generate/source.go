package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
)

// Source is every Go package that API types are read from, by import path.
type Source struct {
	directories map[string]string
	packages    map[string]*Package
	// api lists the packages whose types are written, in the order of the output.
	api []*Package
	// minor is the release that is written, 36 for 1.36.
	minor int
}

// Package is one parsed directory; nothing is type-checked.
type Package struct {
	path  string
	types map[string]*TypeDecl
	// consts has every package-level constant, exported or not.
	consts map[string]*ConstDecl
	// order of declaration, files by name
	typeOrder, constOrder []string
	groupName             string
	// title names the files and sub-paths of a package: "core", "v1".
	title, version string
}

type TypeDecl struct {
	pkg     *Package
	name    string
	spec    *ast.TypeSpec
	imports map[string]string
	markers Markers
	// all also has the markers of the comment before the doc comment, where upstream puts +genclient and life cycles.
	all Markers
}

type ConstDecl struct {
	name    string
	typ     ast.Expr
	value   ast.Expr
	imports map[string]string
	pkg     *Package
}

// apiPackages finds the packages to write: every version directory of k8s.io/api and the few of other modules.
func apiPackages(directories map[string]string) ([][3]string, error) {
	var found [][3]string // import path, title, version
	api := directories["k8s.io/api"]
	matches, err := filepath.Glob(filepath.Join(api, "*", "v*", "types.go"))
	if err != nil {
		return nil, err
	}
	sort.Strings(matches)
	for _, file := range matches {
		version := filepath.Base(filepath.Dir(file))
		group := filepath.Base(filepath.Dir(filepath.Dir(file)))
		found = append(found, [3]string{"k8s.io/api/" + group + "/" + version, group, version})
	}
	for _, version := range []string{"v1", "v1beta1"} {
		found = append(found,
			[3]string{"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/" + version, "apiextensions", version},
			[3]string{"k8s.io/kube-aggregator/pkg/apis/apiregistration/" + version, "apiregistration", version},
			[3]string{"k8s.io/apimachinery/pkg/apis/meta/" + version, "meta", version},
		)
	}
	return append(found,
		[3]string{"k8s.io/apimachinery/pkg/runtime", "runtime", ""},
		[3]string{"k8s.io/apimachinery/pkg/version", "version", ""},
		[3]string{"k8s.io/apimachinery/pkg/types", "names", ""},
	), nil
}

func loadSource(directories map[string]string) (*Source, error) {
	source := &Source{directories: directories, packages: map[string]*Package{}}
	wanted, err := apiPackages(directories)
	if err != nil {
		return nil, err
	}
	for _, want := range wanted {
		pkg, err := source.load(want[0])
		if err != nil {
			return nil, err
		}
		pkg.title, pkg.version = want[1], want[2]
		source.api = append(source.api, pkg)
	}
	return source, nil
}

// load parses a package once; asking again is free.
func (s *Source) load(importPath string) (*Package, error) {
	if pkg := s.packages[importPath]; pkg != nil {
		return pkg, nil
	}
	directory := s.directory(importPath)
	if directory == "" {
		return nil, fmt.Errorf("no module given for %s", importPath)
	}
	entries, err := os.ReadDir(directory)
	if err != nil {
		return nil, err
	}
	pkg := &Package{path: importPath, types: map[string]*TypeDecl{}, consts: map[string]*ConstDecl{}}
	s.packages[importPath] = pkg
	for _, entry := range entries {
		name := entry.Name()
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") || strings.HasPrefix(name, "zz_generated") || strings.HasSuffix(name, ".pb.go") {
			continue
		}
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, filepath.Join(directory, name), nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		pkg.add(fset, file)
	}
	return pkg, nil
}

func (s *Source) directory(importPath string) string {
	for module, directory := range s.directories {
		if importPath == module || strings.HasPrefix(importPath, module+"/") {
			return filepath.Join(directory, strings.TrimPrefix(importPath, module))
		}
	}
	return ""
}

func (p *Package) add(fset *token.FileSet, file *ast.File) {
	imports := importsOf(file)
	for _, decl := range file.Decls {
		general, ok := decl.(*ast.GenDecl)
		if !ok {
			continue
		}
		switch general.Tok {
		case token.TYPE:
			for _, spec := range general.Specs {
				typeSpec := spec.(*ast.TypeSpec)
				doc := typeSpec.Doc
				if doc == nil {
					doc = general.Doc
				}
				decl := &TypeDecl{pkg: p, name: typeSpec.Name.Name, spec: typeSpec, imports: imports, markers: parseMarkers(doc)}
				decl.all = append(append(Markers{}, decl.markers...), parseMarkers(commentBefore(fset, file, doc, general.Pos()))...)
				p.types[decl.name] = decl
				p.typeOrder = append(p.typeOrder, decl.name)
			}
		case token.CONST:
			p.addConstants(general, imports)
		}
	}
}

// addConstants repeats the expression of the line before where a line has none, as Go does. (No iota is used by API types.)
func (p *Package) addConstants(general *ast.GenDecl, imports map[string]string) {
	for _, spec := range general.Specs {
		value := spec.(*ast.ValueSpec)
		for i, name := range value.Names {
			if i >= len(value.Values) {
				continue
			}
			p.consts[name.Name] = &ConstDecl{name: name.Name, typ: value.Type, value: value.Values[i], imports: imports, pkg: p}
			p.constOrder = append(p.constOrder, name.Name)
			if name.Name == "GroupName" {
				if text, ok := value.Values[i].(*ast.BasicLit); ok {
					p.groupName, _ = strconv.Unquote(text.Value)
				}
			}
		}
	}
}

// commentBefore finds the comment that ends in the line or two above the doc comment.
func commentBefore(fset *token.FileSet, file *ast.File, doc *ast.CommentGroup, pos token.Pos) *ast.CommentGroup {
	start := pos
	if doc != nil {
		start = doc.Pos()
	}
	line := fset.Position(start).Line
	for _, group := range file.Comments {
		if end := fset.Position(group.End()).Line; end < line && end >= line-2 {
			return group
		}
	}
	return nil
}
