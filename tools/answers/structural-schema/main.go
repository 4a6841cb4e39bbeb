// Records what upstream makes of custom resources by their structural schema: pruning, nulls, defaults, duplicates in lists
// and embedded metadata. Reads a file of cases, fills in the answers and writes it back:
//
//	go run . ../../../packages/apimachinery/src/structural-schema/testdata/custom-resources.json
//
// and whether values are what their schemas ask for:
//
//	go run . values ../../../packages/apimachinery/src/structural-schema/testdata/values.json
package main

import (
	"bytes"
	"encoding/json"
	"os"
	"sort"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	kjson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

type testCase struct {
	Name   string          `json:"name"`
	Schema json.RawMessage `json:"schema"`
	Object json.RawMessage `json:"object"`
	Answer *answer         `json:"answer,omitempty"`
}

type answer struct {
	Pruned      json.RawMessage `json:"pruned"`
	Unknown     []string        `json:"unknown,omitempty"`
	WithoutNull json.RawMessage `json:"withoutNull"`
	Defaulted   json.RawMessage `json:"defaulted"`
	// With the defaults pruned first.
	PrunedDefaults json.RawMessage `json:"prunedDefaults"`
	ListErrors     []string        `json:"listErrors,omitempty"`
	Coerced        json.RawMessage `json:"coerced,omitempty"`
	CoerceUnknown  []string        `json:"coerceUnknown,omitempty"`
	CoerceError    string          `json:"coerceError,omitempty"`
	Dropped        json.RawMessage `json:"dropped,omitempty"`
	EmbeddedErrors []string        `json:"embeddedErrors,omitempty"`
}

func main() {
	if os.Args[1] == "values" {
		recordValues(os.Args[2])
		return
	}
	path := os.Args[1]
	text, err := os.ReadFile(path)
	check(err)
	var cases []testCase
	check(json.Unmarshal(text, &cases))
	var out bytes.Buffer
	out.WriteString("[\n")
	for i := range cases {
		cases[i].Answer = record(&cases[i])
		line, err := json.Marshal(cases[i])
		check(err)
		out.Write(line)
		if i < len(cases)-1 {
			out.WriteByte(',')
		}
		out.WriteByte('\n')
	}
	out.WriteString("]\n")
	check(os.WriteFile(path, out.Bytes(), 0o644))
}

func record(c *testCase) *answer {
	a := &answer{}
	var x map[string]interface{}

	x = object(c)
	a.Unknown = pruning.PruneWithOptions(x, schema(c), true, structural.UnknownFieldPathOptions{TrackUnknownFieldPaths: true})
	a.Pruned = text(x)

	x = object(c)
	defaulting.PruneNonNullableNullsWithoutDefaults(x, schema(c))
	a.WithoutNull = text(x)

	x = object(c)
	defaulting.Default(x, schema(c))
	a.Defaulted = text(x)

	x = object(c)
	s := schema(c)
	check(defaulting.PruneDefaults(s))
	defaulting.Default(x, s)
	a.PrunedDefaults = text(x)

	a.ListErrors = texts(listtype.ValidateListSetsAndMaps(nil, schema(c), object(c)))
	a.EmbeddedErrors = texts(objectmeta.Validate(nil, object(c), schema(c), false))

	x = object(c)
	coerceError, unknown := objectmeta.CoerceWithOptions(nil, x, schema(c), false, objectmeta.CoerceOptions{ReturnUnknownFieldPaths: true})
	if coerceError != nil {
		a.CoerceError = coerceError.Error()
	} else {
		a.Coerced, a.CoerceUnknown = text(x), unknown
	}
	x = object(c)
	if err := objectmeta.Coerce(nil, x, schema(c), false, true); err == nil {
		a.Dropped = text(x)
	}
	return a
}

func schema(c *testCase) *structural.Structural {
	v1 := &apiextensionsv1.JSONSchemaProps{}
	check(json.Unmarshal(c.Schema, v1))
	internal := &apiextensions.JSONSchemaProps{}
	check(apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(v1, internal, nil))
	s, err := structural.NewStructural(internal)
	check(err)
	return s
}

func object(c *testCase) map[string]interface{} {
	out := map[string]interface{}{}
	check(kjson.Unmarshal(c.Object, &out))
	return out
}

func text(v interface{}) json.RawMessage {
	out, err := kjson.Marshal(v)
	check(err)
	return out
}

func texts(errs field.ErrorList) []string {
	out := []string{}
	for _, err := range errs {
		out = append(out, err.Error())
	}
	sort.Strings(out)
	return out
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
