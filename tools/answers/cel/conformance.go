package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"

	test "cel.dev/expr/conformance/test"
	"encoding/json"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/reflect/protoregistry"

	_ "cel.dev/expr/conformance/proto2"
	_ "cel.dev/expr/conformance/proto3"
)

// conformance reads the specification's own test data.
func conformance() []any {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "cel.dev/expr").Output()
	if err != nil {
		panic(err)
	}
	files, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(out)), "tests/simple/testdata/*.textproto"))
	if err != nil {
		panic(err)
	}
	sort.Strings(files)
	rows := []any{}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			panic(err)
		}
		file := &test.SimpleTestFile{}
		if err := (prototext.UnmarshalOptions{Resolver: protoregistry.GlobalTypes}).Unmarshal(text, file); err != nil {
			panic(err)
		}
		for _, section := range file.GetSection() {
			for _, one := range section.GetTest() {
				row, err := protojson.Marshal(one)
				if err != nil {
					panic(err)
				}
				var plain map[string]any
				if err := json.Unmarshal(row, &plain); err != nil {
					panic(err)
				}
				delete(plain, "description")
				plain["file"] = file.GetName()
				plain["section"] = section.GetName()
				rows = append(rows, plain)
			}
		}
	}
	return rows
}
