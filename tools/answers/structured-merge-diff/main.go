// Records what sigs.k8s.io/structured-merge-diff answers in its own tests: copies the module, has it write down every
// operation, runs its tests, and writes smd.json and typed.json:
//
//	go run . ../../../packages/apimachinery/src/managed-fields/testdata
package main

import (
	"bufio"
	"bytes"
	_ "embed"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

const module = "sigs.k8s.io/structured-merge-diff/v6@v6.3.3"

//go:embed fixture.go.txt
var fixture []byte

//go:embed typed.go.txt
var typed []byte

func main() {
	out := os.Args[1]
	dir, err := os.MkdirTemp("", "smd")
	check(err)
	defer os.RemoveAll(dir)
	check(os.CopyFS(dir, os.DirFS(moduleDir())))
	check(filepath.Walk(dir, func(path string, _ os.FileInfo, err error) error { check(err); return os.Chmod(path, 0o755) }))
	check(os.WriteFile(filepath.Join(dir, "internal/fixture/record.go"), fixture, 0o644))
	check(os.WriteFile(filepath.Join(dir, "typed/record.go"), typed, 0o644))
	edit(filepath.Join(dir, "internal/fixture/state.go"),
		"\tnewObj, managers, err := s.Updater.Update(s.Live, tv, version, s.Managers, manager)\n",
		"\tr := s.start(\"update\", tv, version, manager, false)\n\tnewObj, managers, err := s.Updater.Update(s.Live, tv, version, s.Managers, manager)\n\tr.finish(newObj, managers, err)\n",
		"\tnew, managers, err := s.Updater.Apply(s.Live, tv, version, s.Managers, manager, force)\n",
		"\tr := s.start(\"apply\", tv, version, manager, force)\n\tnew, managers, err := s.Updater.Apply(s.Live, tv, version, s.Managers, manager, force)\n\tr.finish(new, managers, err)\n",
	)
	edit(filepath.Join(dir, "typed/typed.go"),
		"func (tv TypedValue) Validate(", "func (tv TypedValue) validate(",
		"func (tv TypedValue) ToFieldSet(", "func (tv TypedValue) toFieldSet(",
		"func (tv TypedValue) Merge(", "func (tv TypedValue) merge(",
		"func (tv TypedValue) Compare(", "func (tv TypedValue) compare(",
		"func (tv TypedValue) RemoveItems(", "func (tv TypedValue) removeItems(",
	)
	cases, values := filepath.Join(dir, "cases"), filepath.Join(dir, "values")
	test(dir, "RECORD_CASES="+cases, "./merge/...")
	test(dir, "RECORD_TYPED="+values, "./typed/...")
	write(filepath.Join(out, "smd.json"), cases)
	write(filepath.Join(out, "typed.json"), values)
}

// Schemas are shared by many cases: each is written once. Filters that are code, and a converter that changes its mind, cannot be written down.
func write(path, lines string) {
	text, err := os.ReadFile(lines)
	check(err)
	seen := map[string]bool{}
	index := map[string]int{}
	var schemas, cases []string
	scanner := bufio.NewScanner(bytes.NewReader(text))
	scanner.Buffer(nil, 1<<24)
	for scanner.Scan() {
		if seen[scanner.Text()] {
			continue
		}
		seen[scanner.Text()] = true
		var c map[string]json.RawMessage
		check(json.Unmarshal(scanner.Bytes(), &c))
		if string(c["filter"]) == "true" || strings.Contains(string(c["converter"]), "specificVersionConverter") {
			continue
		}
		schema := string(c["schema"])
		if _, known := index[schema]; !known {
			index[schema] = len(schemas)
			schemas = append(schemas, schema)
		}
		c["schema"], _ = json.Marshal(index[schema])
		line, err := json.Marshal(c)
		check(err)
		// The server reads JSON, so that its maps have texts for keys.
		cases = append(cases, strings.ReplaceAll(string(line), "map[interface {}]interface {}", "map[string]interface {}"))
	}
	check(os.WriteFile(path, []byte("{\"schemas\":[\n"+strings.Join(schemas, ",\n")+"\n],\"cases\":[\n"+strings.Join(cases, ",\n")+"\n]}\n"), 0o644))
}

func moduleDir() string {
	text, err := exec.Command("go", "mod", "download", "-json", module).Output()
	check(err)
	var found struct{ Dir string }
	check(json.Unmarshal(text, &found))
	return found.Dir
}

func test(dir, env, packages string) {
	cmd := exec.Command("go", "test", "-count=1", packages)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = dir, append(os.Environ(), env), os.Stdout, os.Stderr
	check(cmd.Run())
}

func edit(path string, pairs ...string) {
	text, err := os.ReadFile(path)
	check(err)
	for i := 0; i < len(pairs); i += 2 {
		if !strings.Contains(string(text), pairs[i]) {
			panic("not found in " + path + ": " + pairs[i])
		}
		text = []byte(strings.Replace(string(text), pairs[i], pairs[i+1], 1))
	}
	check(os.WriteFile(path, text, 0o644))
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
