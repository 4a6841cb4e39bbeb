package main

import (
	"go/ast"
	"os"
	"path/filepath"
	"strings"
)

// addSelectableFields reads the field labels that a version's conversion.go accepts; without one there, the two that all have.
func (s *Source) addSelectableFields(resource *Resource) error {
	resource.SelectableFields = []string{"metadata.name", "metadata.namespace"}
	pkg := s.groupVersion(resource.Group, resource.Version)
	path := filepath.Join(s.directories[kubernetesModule], "pkg/apis", pkg.title, pkg.version, "conversion.go")
	if _, err := os.Stat(path); err != nil {
		return nil
	}
	file, imports, err := parseGo(path)
	if err != nil {
		return err
	}
	for _, decl := range file.Decls {
		function, ok := decl.(*ast.FuncDecl)
		if !ok || function.Body == nil {
			continue
		}
		ast.Inspect(function.Body, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if ok && isLabelConversion(call, resource.Kind) {
				s.readLabels(resource, call.Args[1], function.Body, pkg, imports)
			}
			return true
		})
	}
	return nil
}

// isLabelConversion recognises scheme.AddFieldLabelConversionFunc(SchemeGroupVersion.WithKind("Kind"), …).
func isLabelConversion(call *ast.CallExpr, kind string) bool {
	name, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || name.Sel.Name != "AddFieldLabelConversionFunc" || len(call.Args) != 2 {
		return false
	}
	with, ok := call.Args[0].(*ast.CallExpr)
	return ok && len(with.Args) == 1 && stringOf(with.Args[0]) == kind
}

// readLabels understands both forms in use: a switch over labels, and a map from label to label.
func (s *Source) readLabels(resource *Resource, function ast.Expr, body ast.Node, pkg *Package, imports map[string]string) {
	labels, aliases := []string{}, map[string]string{}
	add := func(label, target string) {
		labels = append(labels, label)
		if target != "" && target != label {
			aliases[label] = target
		}
	}
	ast.Inspect(function, func(n ast.Node) bool {
		clause, ok := n.(*ast.CaseClause)
		if !ok {
			return true
		}
		target := ""
		if answer, ok := clause.Body[0].(*ast.ReturnStmt); ok {
			target = stringOf(answer.Results[0])
		}
		for _, expr := range clause.List {
			if label, ok := s.constant(expr, pkg, imports); ok {
				add(label, target)
			}
		}
		return true
	})
	if len(labels) == 0 {
		literals(body, func(pair *ast.KeyValueExpr) {
			if label := stringOf(pair.Key); label != "" && !strings.Contains(label, " ") {
				add(label, stringOf(pair.Value))
			}
		})
	}
	resource.SelectableFields = labels
	if len(aliases) > 0 {
		resource.FieldAliases = aliases
	}
}
