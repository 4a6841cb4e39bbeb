// Prints the members of Kubernetes' internal types as a TypeScript table: `go run . > <file>`, see the README beside it.
//
// Some messages of the API server hold Go values as JSON. Their types are the internal ones, which have no JSON names and an
// order of their own. Every internal member is paired with the v1 member of the same Go name.
package main

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"sort"
	"strings"
)

// What is printed somewhere, by group; whatever these hold follows. No two groups have a type of one name among them.
var groups = []struct {
	internal, v1 string
	roots        []string
}{
	{"pkg/apis/core/types.go", "core/v1/types.go", []string{"PodSpec", "EphemeralContainer", "PodIP", "HostIP", "PersistentVolumeSource", "VolumeNodeAffinity", "PodTemplateSpec", "PersistentVolumeSpec"}},
	{"pkg/apis/resource/types.go", "resource/v1/types.go", []string{"ResourceClaimSpec", "ResourceClaimTemplateSpec", "AllocationResult", "DeviceAttribute"}},
}

// Internal members that stand elsewhere in v1, with the name under which they are looked for.
var moved = map[string]string{
	"PodSecurityContext.HostNetwork": "hostNetwork", "PodSecurityContext.HostPID": "hostPID", "PodSecurityContext.HostIPC": "hostIPC",
	"PodSecurityContext.ShareProcessNamespace": "shareProcessNamespace", "PodSecurityContext.HostUsers": "hostUsers",
}

type structs map[string]*ast.StructType
type scalars map[string]string

func main() {
	lines := map[string]string{}
	for _, group := range groups {
		internal, kinds := load("k8s.io/kubernetes@v1.36.4", group.internal)
		v1, _ := load("k8s.io/api@v0.36.4", group.v1)
		var visit func(name string)
		visit = func(name string) {
			if _, seen := lines[name]; seen {
				return
			}
			lines[name] = ""
			members := []string{}
			for _, member := range flatten(internal, name) {
				code, inner := typeCode(member.Type, internal, kinds)
				label, ok := moved[name+"."+member.Name]
				if !ok {
					label = jsonName(v1, name, member.Name)
				}
				members = append(members, fmt.Sprintf("%s %s %s", member.Name, label, code))
				if inner != "" {
					visit(inner)
				}
			}
			lines[name] = strings.Join(members, ", ")
		}
		for _, root := range group.roots {
			visit(root)
		}
	}
	names := []string{}
	for name := range lines {
		names = append(names, name)
	}
	sort.Strings(names)
	fmt.Println("// Generated: the README beside this file explains how it is made.")
	fmt.Println("export const internalTypes: Readonly<Record<string, string>> = {")
	for _, name := range names {
		fmt.Printf("  %s: %q,\n", name, lines[name])
	}
	fmt.Println("};")
}

func load(module, file string) (structs, scalars) {
	out, err := exec.Command("go", "mod", "download", "-json", module).Output()
	if err != nil {
		log.Fatalf("%s: %v", module, err)
	}
	var found struct{ Dir string }
	if err := json.Unmarshal(out, &found); err != nil {
		log.Fatal(err)
	}
	parsed, err := parser.ParseFile(token.NewFileSet(), filepath.Join(found.Dir, file), nil, parser.SkipObjectResolution)
	if err != nil {
		log.Fatal(err)
	}
	types, named := structs{}, scalars{}
	ast.Inspect(parsed, func(node ast.Node) bool {
		if spec, ok := node.(*ast.TypeSpec); ok {
			switch kind := spec.Type.(type) {
			case *ast.StructType:
				types[spec.Name.Name] = kind
			case *ast.Ident:
				named[spec.Name.Name] = kind.Name
			case *ast.MapType:
				named[spec.Name.Name] = "ResourceList"
			}
		}
		return true
	})
	return types, named
}

type member struct {
	Name string
	Type ast.Expr
	Tag  string
}

// Members with those of embedded structs in their place, as JSON has them.
func flatten(types structs, name string) []member {
	found := []member{}
	for _, field := range types[name].Fields.List {
		tag := ""
		if field.Tag != nil {
			tag = reflect.StructTag(strings.Trim(field.Tag.Value, "`")).Get("json")
		}
		if len(field.Names) > 0 {
			for _, own := range field.Names {
				found = append(found, member{own.Name, field.Type, tag})
			}
			continue
		}
		if inner, ok := field.Type.(*ast.Ident); ok {
			found = append(found, flatten(types, inner.Name)...)
		} else {
			found = append(found, member{field.Type.(*ast.SelectorExpr).Sel.Name, field.Type, tag})
		}
	}
	return found
}

func jsonName(v1 structs, typeName, memberName string) string {
	for _, member := range flatten(v1, typeName) {
		if member.Name == memberName {
			return strings.Split(member.Tag, ",")[0]
		}
	}
	fmt.Fprintf(os.Stderr, "no v1 member for %s.%s\n", typeName, memberName)
	os.Exit(1)
	return ""
}

// s text, b boolean, n number, q quantity, i number or text, j what has JSON names itself, m metadata in place, R a map of
// quantities; * pointer, [] list, {} map. The second answer is the struct inside.
func typeCode(expr ast.Expr, types structs, named scalars) (string, string) {
	switch kind := expr.(type) {
	case *ast.StarExpr:
		code, inner := typeCode(kind.X, types, named)
		return "*" + code, inner
	case *ast.ArrayType:
		code, inner := typeCode(kind.Elt, types, named)
		return "[]" + code, inner
	case *ast.MapType:
		code, inner := typeCode(kind.Value, types, named)
		return "{}" + code, inner
	case *ast.SelectorExpr:
		switch kind.Sel.Name {
		case "Quantity":
			return "q", ""
		case "IntOrString":
			return "i", ""
		case "ObjectMeta":
			return "m", ""
		case "UID":
			return "s", ""
		case "LabelSelector", "RawExtension", "Time":
			return "j", ""
		case "NodeSelector":
			return kind.Sel.Name, ""
		}
		log.Fatalf("unknown type %s", kind.Sel.Name)
	case *ast.Ident:
		switch kind.Name {
		case "string":
			return "s", ""
		case "bool":
			return "b", ""
		case "int32", "int64", "int":
			return "n", ""
		case "ResourceList":
			return "{}q", ""
		}
		if _, ok := types[kind.Name]; ok {
			return kind.Name, kind.Name
		}
		if base, ok := named[kind.Name]; ok {
			return typeCode(ast.NewIdent(base), types, named)
		}
		log.Fatalf("unknown type %s", kind.Name)
	}
	log.Fatalf("unknown type %T", expr)
	return "", ""
}
