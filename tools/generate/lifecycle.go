package main

import (
	"fmt"
	"go/ast"
	"os"
	"path/filepath"
	"strings"
)

// Lifecycle has releases as "1.33".
type Lifecycle struct {
	Introduced  string     `json:"introduced"`
	Deprecated  string     `json:"deprecated,omitempty"`
	Removed     string     `json:"removed,omitempty"`
	Replacement *GroupKind `json:"replacement,omitempty"`
}

// addLifecycle reads the functions that upstream generates from markers, because they also have what markers leave to a rule.
func (s *Source) addLifecycle(resource *Resource) error {
	pkg := s.groupVersion(resource.Group, resource.Version)
	life := Lifecycle{}
	for _, name := range []string{"zz_generated.prerelease-lifecycle.go", "lifecycle.go"} { // the second is written by hand
		path := filepath.Join(s.directory(pkg.path), name)
		if _, err := os.Stat(path); err != nil {
			continue
		}
		file, _, err := parseGo(path)
		if err != nil {
			return err
		}
		for _, decl := range file.Decls {
			if function, ok := decl.(*ast.FuncDecl); ok && receiver(function) == resource.Kind {
				life.read(function)
			}
		}
	}
	if life.Introduced != "" {
		resource.Lifecycle = &life
	}
	return nil
}

func (l *Lifecycle) read(function *ast.FuncDecl) {
	results := function.Body.List[0].(*ast.ReturnStmt).Results
	switch strings.TrimPrefix(function.Name.Name, "APILifecycle") {
	case "Introduced":
		l.Introduced = release(results)
	case "Deprecated":
		l.Deprecated = release(results)
	case "Removed":
		l.Removed = release(results)
	case "Replacement":
		fields := pairs(results[0])
		l.Replacement = &GroupKind{stringOf(fields["Group"]), stringOf(fields["Version"]), stringOf(fields["Kind"])}
	}
}

func receiver(function *ast.FuncDecl) string {
	if function.Recv == nil {
		return ""
	}
	if star, ok := function.Recv.List[0].Type.(*ast.StarExpr); ok {
		return star.X.(*ast.Ident).Name
	}
	return ""
}

func release(results []ast.Expr) string {
	return fmt.Sprintf("%s.%s", results[0].(*ast.BasicLit).Value, results[1].(*ast.BasicLit).Value)
}
