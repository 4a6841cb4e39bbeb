package main

import (
	"fmt"
	"go/ast"
	"reflect"
	"strconv"
	"strings"
)

// Member is one field of a struct with every fact the tables keep.
type Member struct {
	// name in JSON; "" for a struct whose members stand in the parent's JSON
	name, goName        string
	typ                 *Type
	number              int
	omitEmpty, omitZero bool
	required            bool
	markers             Markers
	patchStrategy       string
	patchMergeKey       string
	defaultValue        string
}

func (s *Source) members(decl *TypeDecl) ([]Member, error) {
	body, owner, err := s.structOf(decl)
	if err != nil {
		return nil, err
	}
	var members []Member
	for _, field := range body.Fields.List {
		member, err := s.member(field, owner)
		if err != nil {
			return nil, fmt.Errorf("%s.%s: %w", decl.pkg.path, decl.name, err)
		}
		if member != nil {
			members = append(members, *member)
		}
	}
	return members, nil
}

// member is nil for a field that is no data.
func (s *Source) member(field *ast.Field, owner *TypeDecl) (*Member, error) {
	tag := structTag(field)
	jsonName, options, _ := strings.Cut(tag.Get("json"), ",")
	proto := strings.Split(tag.Get("protobuf"), ",")
	m := &Member{name: jsonName, markers: parseMarkers(field.Doc)}
	inline := jsonName == "" && (len(field.Names) == 0 || strings.Contains(options, "inline"))
	if len(field.Names) > 0 {
		m.goName = field.Names[0].Name
	}
	if owner.pkg.path == runtimePath && owner.name == "Unknown" && !inline { // its JSON form is its content
		m.name = strings.TrimPrefix(proto[3], "name=")
	} else if jsonName == "-" || m.goName != "" && !ast.IsExported(m.goName) {
		return nil, nil
	} else if jsonName == "" && !inline {
		return nil, fmt.Errorf("field %s has no JSON name", m.goName)
	}
	if len(proto) > 1 {
		m.number, _ = strconv.Atoi(proto[1])
	}
	for _, option := range strings.Split(options, ",") {
		m.omitEmpty = m.omitEmpty || option == "omitempty"
		m.omitZero = m.omitZero || option == "omitzero"
	}
	// kube-openapi's rule: +required, or neither +optional nor omitempty.
	m.required = !inline && (m.markers.has("required") || !m.markers.has("optional") && !m.omitEmpty)
	m.patchStrategy, m.patchMergeKey = m.markers.first("patchStrategy"), m.markers.first("patchMergeKey")
	if m.patchStrategy == "" {
		m.patchStrategy = tag.Get("patchStrategy")
	}
	if m.patchMergeKey == "" {
		m.patchMergeKey = tag.Get("patchMergeKey")
	}
	var err error
	if m.typ, err = s.resolve(field.Type, owner.pkg, owner.imports); err != nil {
		return nil, err
	}
	m.defaultValue, err = s.defaultOf(m, owner)
	return m, err
}

func structTag(field *ast.Field) reflect.StructTag {
	if field.Tag == nil {
		return ""
	}
	text, _ := strconv.Unquote(field.Tag.Value)
	return reflect.StructTag(text)
}

// defaultOf gives the +default marker as JSON; ref(Name) names a constant.
func (s *Source) defaultOf(m *Member, owner *TypeDecl) (string, error) {
	value := m.markers.first("default")
	name, ok := strings.CutPrefix(value, "ref(")
	if !ok {
		return value, nil
	}
	text, found := s.constant(ast.NewIdent(strings.TrimSuffix(name, ")")), owner.pkg, owner.imports)
	if !found {
		return "", fmt.Errorf("%s: the default %s names no constant", m.name, value)
	}
	return strconv.Quote(text), nil
}
