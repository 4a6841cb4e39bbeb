package main

import (
	"encoding/json"
	"strings"

	"k8s.io/apiextensions-apiserver/pkg/controller/openapi/builder"
	"k8s.io/kube-openapi/pkg/handler"
)

type openAPICase struct {
	Definition json.RawMessage `json:"definition"`
}

type openAPIAnswer struct {
	V2 map[string]interface{} `json:"v2"`
	V3 map[string]interface{} `json:"v3"`
}

// answerOpenAPI publishes the first version as the server does, which leaves defaults out of OpenAPI 2.
func answerOpenAPI(text json.RawMessage) interface{} {
	var c openAPICase
	check(json.Unmarshal(text, &c))
	definition := definitionOf(c.Definition)
	version := definition.Spec.Versions[0].Name
	v2, err := builder.BuildOpenAPIV2(definition, version, builder.Options{V2: true, IncludeSelectableFields: true})
	check(err)
	v3, err := builder.BuildOpenAPIV3(definition, version, builder.Options{IncludeSelectableFields: true})
	check(err)
	v2.Definitions = handler.PruneDefaults(v2.Definitions)
	a := openAPIAnswer{map[string]interface{}{}, map[string]interface{}{}}
	for name, schema := range v2.Definitions {
		if !strings.HasPrefix(name, "io.k8s.") {
			a.V2[name] = withoutProse(schema)
		}
	}
	for name, schema := range v3.Components.Schemas {
		if !strings.HasPrefix(name, "io.k8s.") {
			a.V3[name] = withoutProse(schema)
		}
	}
	return a
}

// withoutProse leaves upstream's descriptions out: they are not ours to keep.
func withoutProse(schema interface{}) interface{} {
	var value interface{}
	check(json.Unmarshal(encode(schema), &value))
	return strip(value)
}

func strip(value interface{}) interface{} {
	switch value := value.(type) {
	case []interface{}:
		for i := range value {
			value[i] = strip(value[i])
		}
	case map[string]interface{}:
		if _, isText := value["description"].(string); isText {
			delete(value, "description")
		}
		for name := range value {
			value[name] = strip(value[name])
		}
	}
	return value
}
