// Records what upstream's patch libraries answer. Reads a file of cases, fills in the answers and writes it back:
//
//	go run . ../../../packages/apimachinery/src/patch/testdata/strategic.json
//
// Run several times over: an answer that depends on Go's map order becomes {"error": "*"}.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/jsonmergepatch"
	kjson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/mergepatch"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
)

// Item has the shape of the type in upstream's own tests of strategic merge patches.
type Item struct {
	Name                  string               `json:"name,omitempty"`
	Value                 string               `json:"value,omitempty"`
	Other                 string               `json:"other,omitempty"`
	MergingList           []Item               `json:"mergingList,omitempty" patchStrategy:"merge" patchMergeKey:"name"`
	NonMergingList        []Item               `json:"nonMergingList,omitempty"`
	MergingIntList        []int                `json:"mergingIntList,omitempty" patchStrategy:"merge"`
	NonMergingIntList     []int                `json:"nonMergingIntList,omitempty"`
	MergeItemPtr          *Item                `json:"mergeItemPtr,omitempty" patchStrategy:"merge" patchMergeKey:"name"`
	SimpleMap             map[string]string    `json:"simpleMap,omitempty"`
	ReplacingItem         runtime.RawExtension `json:"replacingItem,omitempty" patchStrategy:"replace"`
	RetainKeysMap         RetainKeysItem       `json:"retainKeysMap,omitempty" patchStrategy:"retainKeys"`
	RetainKeysMergingList []Item               `json:"retainKeysMergingList,omitempty" patchStrategy:"merge,retainKeys" patchMergeKey:"name"`
}

type RetainKeysItem struct {
	Name           string            `json:"name,omitempty"`
	Value          string            `json:"value,omitempty"`
	Other          string            `json:"other,omitempty"`
	SimpleMap      map[string]string `json:"simpleMap,omitempty"`
	MergingIntList []int             `json:"mergingIntList,omitempty" patchStrategy:"merge"`
	MergingList    []Item            `json:"mergingList,omitempty" patchStrategy:"merge" patchMergeKey:"name"`
	NonMergingList []Item            `json:"nonMergingList,omitempty"`
}

type answer struct {
	Value json.RawMessage `json:"value,omitempty"`
	Error string          `json:"error,omitempty"`
}

type testCase struct {
	Name     string          `json:"name"`
	Original json.RawMessage `json:"original,omitempty"`
	Modified json.RawMessage `json:"modified,omitempty"`
	Current  json.RawMessage `json:"current,omitempty"`
	// A patch to apply to Original; without one, Modified is tried as a patch.
	Patch   json.RawMessage   `json:"patch,omitempty"`
	Answers map[string]answer `json:"answers,omitempty"`
}

type caseFile struct {
	Kind  string     `json:"kind"`
	Cases []testCase `json:"cases"`
}

func main() {
	path := os.Args[1]
	text, err := os.ReadFile(path)
	check(err)
	var file caseFile
	check(json.Unmarshal(text, &file))
	for i := range file.Cases {
		c := &file.Cases[i]
		c.Answers = record(file.Kind, c)
		for range 20 {
			for name, again := range record(file.Kind, c) {
				if before := c.Answers[name]; before.Error != again.Error || !bytes.Equal(before.Value, again.Value) {
					c.Answers[name] = answer{Error: "*"}
				}
			}
		}
	}
	var out bytes.Buffer
	fmt.Fprintf(&out, "{\"kind\":%q,\"cases\":[\n", file.Kind)
	for i, c := range file.Cases {
		line, err := json.Marshal(c)
		check(err)
		out.Write(line)
		if i < len(file.Cases)-1 {
			out.WriteByte(',')
		}
		out.WriteByte('\n')
	}
	out.WriteString("]}\n")
	check(os.WriteFile(path, out.Bytes(), 0o644))
}

func record(kind string, c *testCase) map[string]answer {
	out := map[string]answer{}
	switch kind {
	case "strategic":
		schema, err := strategicpatch.NewPatchMetaFromStruct(&Item{})
		check(err)
		patch := c.Patch
		if patch == nil {
			patch = c.Modified
		}
		out["apply"] = try(func() ([]byte, error) { return applyStrategic(c.Original, patch, schema) })
		if c.Modified != nil {
			out["twoWay"] = try(func() ([]byte, error) {
				return strategicpatch.CreateTwoWayMergePatchUsingLookupPatchMeta(c.Original, c.Modified, schema)
			})
		}
		if c.Current != nil {
			three := func(overwrite bool) ([]byte, error) {
				return strategicpatch.CreateThreeWayMergePatch(c.Original, c.Modified, c.Current, schema, overwrite)
			}
			out["threeWay"] = try(func() ([]byte, error) { return three(true) })
			out["result"] = try(func() ([]byte, error) {
				patch, err := three(true)
				if err != nil {
					return nil, err
				}
				return applyStrategic(c.Current, patch, schema)
			})
			out["conflict"] = try(func() ([]byte, error) {
				_, err := three(false)
				if mergepatch.IsConflict(err) {
					return []byte("true"), nil
				}
				return []byte("false"), err
			})
		}
	case "json":
		out["apply"] = try(func() ([]byte, error) {
			jsonpatch.AccumulatedCopySizeLimit = 3 * 1024 * 1024
			patch, err := jsonpatch.DecodePatch(c.Patch)
			if err != nil {
				return nil, err
			}
			return patch.Apply(c.Original)
		})
	case "merge":
		if c.Patch != nil {
			out["apply"] = try(func() ([]byte, error) { return jsonpatch.MergePatch(c.Original, c.Patch) })
		}
		if c.Modified != nil {
			out["twoWay"] = try(func() ([]byte, error) { return jsonpatch.CreateMergePatch(c.Original, c.Modified) })
		}
		if c.Current != nil {
			out["threeWay"] = try(func() ([]byte, error) {
				patch, err := jsonmergepatch.CreateThreeWayJSONMergePatch(c.Original, c.Modified, c.Current)
				if mergepatch.IsConflict(err) {
					return []byte(`"conflict"`), nil
				}
				return patch, err
			})
		}
	default:
		panic("unknown kind " + kind)
	}
	return out
}

// The way of the API server: integers stay integers.
func applyStrategic(original, patch []byte, schema strategicpatch.LookupPatchMeta) ([]byte, error) {
	o, p := map[string]interface{}{}, map[string]interface{}{}
	if original != nil {
		check(kjson.Unmarshal(original, &o))
	}
	if err := kjson.Unmarshal(patch, &p); err != nil {
		return nil, err
	}
	merged, err := strategicpatch.StrategicMergeMapPatchUsingLookupPatchMeta(o, p, schema)
	if err != nil {
		return nil, err
	}
	return kjson.Marshal(merged)
}

func try(run func() ([]byte, error)) (a answer) {
	defer func() {
		if r := recover(); r != nil {
			a = answer{Error: "*"}
		}
	}()
	value, err := run()
	if err != nil {
		return answer{Error: err.Error()}
	}
	return answer{Value: value}
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
