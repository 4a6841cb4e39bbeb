package main

import (
	"go/ast"
	"strings"
)

// Marker is one "+name=value" line of a comment.
type Marker struct{ name, value string }
type Markers []Marker

func parseMarkers(group *ast.CommentGroup) Markers {
	if group == nil {
		return nil
	}
	var markers Markers
	for _, comment := range group.List {
		text := strings.TrimSpace(strings.TrimPrefix(comment.Text, "//"))
		if !strings.HasPrefix(text, "+") {
			continue
		}
		markers = append(markers, splitMarker(text[1:]))
	}
	return markers
}

// splitMarker cuts at the first "=" outside of parentheses.
func splitMarker(text string) Marker {
	depth := 0
	for i, char := range text {
		switch char {
		case '(':
			depth++
		case ')':
			depth--
		case '=':
			if depth == 0 {
				return Marker{text[:i], text[i+1:]}
			}
		}
	}
	return Marker{name: text}
}

func (m Markers) has(name string) bool { return len(m.all(name)) > 0 }

func (m Markers) first(name string) string {
	if values := m.all(name); len(values) > 0 {
		return values[0]
	}
	return ""
}

func (m Markers) all(name string) []string {
	var values []string
	for _, marker := range m {
		if marker.name == name {
			values = append(values, strings.TrimSpace(marker.value))
		}
	}
	return values
}

// generatorMarkers steer upstream's code generators and have no meaning for values.
var generatorMarkers = []string{
	"deepcopy-gen", "openapi-gen", "prerelease-lifecycle-gen", "conversion-gen", "conversion-fn", "protobuf-gen", "defaulter-gen", "openapi-model-package",
	"validation-gen", "supportsSubresource", "isSubresource", "deprecated", "validation-gen-input",
}

// validation gives the declarative validation rules: those in force, and those that upstream only compares (alpha and beta stage).
func (m Markers) validation() (inForce, compared []string) {
	for _, marker := range m {
		name, ok := strings.CutPrefix(marker.name, "k8s:")
		if !ok || isGeneratorMarker(name) {
			continue
		}
		text := name
		if marker.value != "" {
			text += "=" + marker.value
		}
		stage, rule, staged := strings.Cut(text, ")=+k8s:")
		if staged && (strings.HasPrefix(stage, "alpha(") || strings.HasPrefix(stage, "beta(")) {
			compared = append(compared, compact(rule))
		} else {
			inForce = append(inForce, compact(text))
		}
	}
	return inForce, compared
}

func isGeneratorMarker(name string) bool {
	for _, known := range generatorMarkers {
		if name == known || strings.HasPrefix(name, known+":") {
			return true
		}
	}
	return false
}

// compact drops a trailing "# comment", blanks and the "+k8s:" of nested rules: none of the rules has a blank that matters.
func compact(rule string) string {
	rule, _, _ = strings.Cut(rule, " #")
	return strings.ReplaceAll(strings.ReplaceAll(strings.ReplaceAll(rule, " ", ""), "=+k8s:", "="), ";", ",")
}
