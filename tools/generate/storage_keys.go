package main

import (
	"go/ast"
	"path/filepath"
	"strings"
)

// storageKeys reads where upstream's storage test expects each resource: "group/version/resource" to the prefix of its keys.
func (s *Source) storageKeys() (map[string]string, error) {
	file, _, err := parseGo(filepath.Join(s.directories[kubernetesModule], "test/integration/etcd/data.go"))
	if err != nil {
		return nil, err
	}
	keys := map[string]string{}
	literals(file, func(pair *ast.KeyValueExpr) {
		call, ok := pair.Key.(*ast.CallExpr)
		if !ok || len(call.Args) != 3 {
			return
		}
		if name, ok := call.Fun.(*ast.Ident); !ok || name.Name != "gvr" {
			return
		}
		path, found := strings.CutPrefix(keyText(pairs(pair.Value)["ExpectedEtcdPath"]), "/registry/")
		if !found {
			return
		}
		path = path[:strings.LastIndex(path, "/")] // the object's name
		path = strings.TrimSuffix(path, "/"+namespaceMark)
		keys[stringOf(call.Args[0])+"/"+stringOf(call.Args[1])+"/"+stringOf(call.Args[2])] = path
	})
	return keys, nil
}

// namespaceMark stands for the variable part of a key: "/registry/pods/" + namespace + "/pod1".
const namespaceMark = "\x00"

func keyText(expr ast.Expr) string {
	if sum, ok := expr.(*ast.BinaryExpr); ok {
		return keyText(sum.X) + keyText(sum.Y)
	}
	if _, ok := expr.(*ast.Ident); ok {
		return namespaceMark
	}
	return stringOf(expr)
}
