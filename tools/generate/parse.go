package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"strconv"
)

// parseGo reads one file of a module and its imports.
func parseGo(file string) (*ast.File, map[string]string, error) {
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
	if err != nil {
		return nil, nil, err
	}
	return parsed, importsOf(parsed), nil
}

func importsOf(file *ast.File) map[string]string {
	imports := map[string]string{}
	for _, spec := range file.Imports {
		target, _ := strconv.Unquote(spec.Path.Value)
		name := path.Base(target)
		if spec.Name != nil {
			name = spec.Name.Name
		}
		imports[name] = target
	}
	return imports
}

// literals finds every composite literal with key-value pairs below a node.
func literals(node ast.Node, visit func(pair *ast.KeyValueExpr)) {
	ast.Inspect(node, func(n ast.Node) bool {
		literal, ok := n.(*ast.CompositeLit)
		if !ok {
			return true
		}
		for _, element := range literal.Elts {
			if pair, ok := element.(*ast.KeyValueExpr); ok {
				visit(pair)
			}
		}
		return true
	})
}

// pairs are the named fields of a literal.
func pairs(expr ast.Expr) map[string]ast.Expr {
	found := map[string]ast.Expr{}
	if literal, ok := expr.(*ast.CompositeLit); ok {
		for _, element := range literal.Elts {
			if pair, ok := element.(*ast.KeyValueExpr); ok {
				if name, ok := pair.Key.(*ast.Ident); ok {
					found[name.Name] = pair.Value
				}
			}
		}
	}
	return found
}

// stringOf reads a string literal, "" for anything else.
func stringOf(expr ast.Expr) string {
	if literal, ok := expr.(*ast.BasicLit); ok && literal.Kind == token.STRING {
		text, _ := strconv.Unquote(literal.Value)
		return text
	}
	return ""
}
