package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"sort"
	"strconv"
	"strings"
)

const (
	metaV1       = "k8s.io/apimachinery/pkg/apis/meta/v1"
	runtimePath  = "k8s.io/apimachinery/pkg/runtime"
	extensions   = "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/"
	listOfString = "X"
)

// specialTypes have JSON or protobuf forms of their own, and with them a letter in the tables.
var specialTypes = map[string]string{
	metaV1 + ".Time":                                  "T",
	metaV1 + ".MicroTime":                             "M",
	metaV1 + ".Duration":                              "D",
	metaV1 + ".FieldsV1":                              "F",
	metaV1 + ".Verbs":                                 listOfString,
	runtimePath + ".RawExtension":                     "R",
	"k8s.io/apimachinery/pkg/api/resource.Quantity":   "Q",
	"k8s.io/apimachinery/pkg/util/intstr.IntOrString": "I",
	"k8s.io/api/authentication/v1.ExtraValue":         listOfString,
	"k8s.io/api/authentication/v1beta1.ExtraValue":    listOfString,
	"k8s.io/api/authorization/v1.ExtraValue":          listOfString,
	"k8s.io/api/authorization/v1beta1.ExtraValue":     listOfString,
	"k8s.io/api/certificates/v1.ExtraValue":           listOfString,
	"k8s.io/api/certificates/v1beta1.ExtraValue":      listOfString,
	extensions + "v1.JSON":                            "J",
	extensions + "v1beta1.JSON":                       "J",
}

// unionTypes are JSONSchemaProps or something else.
var unionTypes = map[string]string{"JSONSchemaPropsOrBool": "Ob", "JSONSchemaPropsOrArray": "Oa", "JSONSchemaPropsOrStringArray": "Os"}

// unwrittenTypes are no data: their JSON is text, or they exist in Go only.
var unwrittenTypes = map[string]bool{metaV1 + ".GroupVersion": true, metaV1 + ".Timestamp": true, metaV1 + ".InternalEvent": true}

var basicTypes = map[string]string{"string": "s", "bool": "b", "int32": "i", "int64": "l", "uint32": "w", "float64": "d"}

// Kind decides which of the fields of a Type are used.
type Kind int

const (
	basic Kind = iota // letter
	special
	union
	pointer // elem
	list
	dictionary
	structure // decl
	named     // decl, elem: what it is made of
)

// Type is a resolved Go type.
type Type struct {
	kind   Kind
	letter string
	elem   *Type
	decl   *TypeDecl
}

func (t *Type) fullName() string { return t.decl.pkg.path + "." + t.decl.name }

func (s *Source) resolve(expr ast.Expr, pkg *Package, imports map[string]string) (*Type, error) {
	switch e := expr.(type) {
	case *ast.StarExpr:
		return s.wrap(pointer, e.X, pkg, imports)
	case *ast.ArrayType:
		if ident, ok := e.Elt.(*ast.Ident); ok && ident.Name == "byte" {
			return &Type{kind: basic, letter: "y"}, nil
		}
		return s.wrap(list, e.Elt, pkg, imports)
	case *ast.MapType:
		return s.wrap(dictionary, e.Value, pkg, imports)
	case *ast.InterfaceType:
		return &Type{kind: basic, letter: "J"}, nil
	case *ast.Ident:
		if letter, ok := basicTypes[e.Name]; ok {
			return &Type{kind: basic, letter: letter}, nil
		}
		return s.resolveName(pkg, e.Name)
	case *ast.SelectorExpr:
		target, err := s.load(imports[e.X.(*ast.Ident).Name])
		if err != nil {
			return nil, err
		}
		return s.resolveName(target, e.Sel.Name)
	}
	return nil, fmt.Errorf("%s: a type expression of the form %T is not understood", pkg.path, expr)
}

func (s *Source) wrap(kind Kind, inner ast.Expr, pkg *Package, imports map[string]string) (*Type, error) {
	elem, err := s.resolve(inner, pkg, imports)
	return &Type{kind: kind, elem: elem}, err
}

func (s *Source) resolveName(pkg *Package, name string) (*Type, error) {
	decl := pkg.types[name]
	if decl == nil {
		return nil, fmt.Errorf("%s has no type %s", pkg.path, name)
	}
	t := &Type{decl: decl}
	if letter, ok := specialTypes[t.fullName()]; ok {
		t.kind, t.letter = special, letter
		return t, nil
	}
	if letter, ok := unionTypes[name]; ok && strings.HasPrefix(pkg.path, extensions) {
		t.kind, t.letter = union, letter
		return t, nil
	}
	if decl.spec.Assign != token.NoPos { // type A = B is B
		return s.resolve(decl.spec.Type, pkg, decl.imports)
	}
	if _, ok := decl.spec.Type.(*ast.StructType); ok {
		t.kind = structure
		return t, nil
	}
	elem, err := s.resolve(decl.spec.Type, pkg, decl.imports)
	if err != nil {
		return nil, err
	}
	t.kind, t.elem = named, elem
	if elem.kind == structure { // type A B: a struct of its own with B's members
		t.kind = structure
	}
	return t, nil
}

// structOf finds the declaration that has a struct's members.
func (s *Source) structOf(decl *TypeDecl) (*ast.StructType, *TypeDecl, error) {
	if body, ok := decl.spec.Type.(*ast.StructType); ok {
		return body, decl, nil
	}
	under, err := s.resolve(decl.spec.Type, decl.pkg, decl.imports)
	if err != nil || under.kind != structure {
		return nil, nil, fmt.Errorf("%s.%s is no struct", decl.pkg.path, decl.name)
	}
	return s.structOf(under.decl)
}

// constant evaluates what API packages use: literals, other constants, sums and conversions.
func (s *Source) constant(expr ast.Expr, pkg *Package, imports map[string]string) (string, bool) {
	switch e := expr.(type) {
	case *ast.BasicLit:
		if e.Kind == token.STRING {
			text, err := strconv.Unquote(e.Value)
			return text, err == nil
		}
		return e.Value, true
	case *ast.Ident:
		if found := pkg.consts[e.Name]; found != nil {
			return s.constant(found.value, pkg, found.imports)
		}
	case *ast.SelectorExpr:
		if target, err := s.load(imports[e.X.(*ast.Ident).Name]); err == nil {
			return s.constant(e.Sel, target, nil)
		}
	case *ast.BinaryExpr:
		left, ok := s.constant(e.X, pkg, imports)
		right, also := s.constant(e.Y, pkg, imports)
		return left + right, ok && also && e.Op == token.ADD
	case *ast.CallExpr:
		if len(e.Args) == 1 {
			return s.constant(e.Args[0], pkg, imports)
		}
	}
	return "", false
}

// valuesOf lists the constants of a named string type, sorted, in whichever API package they are declared.
func (s *Source) valuesOf(decl *TypeDecl) []string {
	seen := map[string]bool{}
	for _, pkg := range s.packages {
		for _, name := range pkg.constOrder {
			found := pkg.consts[name]
			typ := found.typ
			if call, ok := found.value.(*ast.CallExpr); ok && typ == nil {
				typ = call.Fun
			}
			if typ == nil || !s.mentions(typ, found, decl) {
				continue
			}
			if value, ok := s.constant(found.value, pkg, found.imports); ok {
				seen[value] = true
			}
		}
	}
	values := make([]string, 0, len(seen))
	for value := range seen {
		values = append(values, value)
	}
	sort.Strings(values)
	return values
}

func (s *Source) mentions(typ ast.Expr, found *ConstDecl, decl *TypeDecl) bool {
	switch e := typ.(type) {
	case *ast.Ident:
		if basicTypes[e.Name] != "" || found.pkg.types[e.Name] == nil {
			return false
		}
	case *ast.SelectorExpr:
		if s.packages[found.imports[e.X.(*ast.Ident).Name]] == nil {
			return false
		}
	default:
		return false
	}
	resolved, err := s.resolve(typ, found.pkg, found.imports)
	return err == nil && resolved.decl == decl
}
