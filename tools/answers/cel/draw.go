package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os/exec"
	"path/filepath"
	"reflect"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Where expressions are taken from: all strings in the tests of these packages, and the environment they are tried in.
var sources = []struct{ module, folder, environment string }{
	{"github.com/google/cel-go", "", "bare"},
	{"k8s.io/apiserver", "pkg/cel", "kubernetes"},
	{"k8s.io/apiserver", "pkg/admission/plugin/policy", "kubernetes"},
	{"k8s.io/apiextensions-apiserver", "pkg/apiserver/schema/cel", "kubernetes"},
}

type drawn struct {
	question
	Answer answer `json:"answer"`
}

// draw asks every string in upstream's tests. Strings that are no expression are kept up to a length: their errors count too.
func draw() []any {
	rows := []any{}
	seen := map[[2]string]bool{}
	for _, source := range sources {
		out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", source.module).Output()
		if err != nil {
			panic(err)
		}
		for _, text := range stringsIn(filepath.Join(strings.TrimSpace(string(out)), source.folder)) {
			q := question{Expression: text, Environment: source.environment}
			if key := [2]string{text, source.environment}; seen[key] {
				continue
			} else {
				seen[key] = true
			}
			if a := q.answer(); worthKeeping(text, a) && isSteady(q, a) {
				rows = append(rows, drawn{q, a})
			}
		}
	}
	return rows
}

// isSteady reports whether the answer is always the same: the order of a map's entries changes from run to run, and with it some costs.
func isSteady(q question, first answer) bool {
	for range 12 {
		if !reflect.DeepEqual(q.answer(), first) {
			return false
		}
	}
	return true
}

func worthKeeping(text string, a answer) bool {
	if a.CompileError == "" {
		return true
	}
	return len(text) < 60 && strings.ContainsAny(text, "()[]{}.+?'\"") && !strings.HasPrefix(text, "Test")
}

func stringsIn(folder string) []string {
	found := map[string]bool{}
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		imports := map[*ast.BasicLit]bool{}
		for _, one := range file.Imports {
			imports[one.Path] = true
		}
		ast.Inspect(file, func(node ast.Node) bool {
			literal, ok := node.(*ast.BasicLit)
			if !ok || literal.Kind != token.STRING || imports[literal] {
				return true
			}
			text, err := strconv.Unquote(literal.Value)
			if err == nil && len(text) > 1 && len(text) < 1500 && utf8.ValidString(text) {
				found[text] = true
			}
			return true
		})
		return nil
	})
	if err != nil {
		panic(err)
	}
	texts := make([]string, 0, len(found))
	for text := range found {
		texts = append(texts, text)
	}
	sort.Strings(texts)
	return texts
}
