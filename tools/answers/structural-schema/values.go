package main

import (
	"bytes"
	"encoding/json"
	"os"
	"sort"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	kjson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

type valueCase struct {
	Schema  json.RawMessage   `json:"schema"`
	Values  []json.RawMessage `json:"values"`
	Answers []valueAnswer     `json:"answers"`
}

// Sorted: upstream goes through members in any order. Missing where nothing is wrong.
type valueAnswer struct {
	Default  []string `json:"default,omitempty"`
	Resource []string `json:"resource,omitempty"`
}

// recordValues asks whether values are what their schemas want, once as defaults and once as custom resources.
func recordValues(path string) {
	content, err := os.ReadFile(path)
	check(err)
	var cases []valueCase
	check(json.Unmarshal(content, &cases))
	var out bytes.Buffer
	out.WriteString("[\n")
	for i := range cases {
		cases[i].Answers = nil
		for _, raw := range cases[i].Values {
			cases[i].Answers = append(cases[i].Answers, answerFor(&cases[i], raw))
		}
		if i > 0 {
			out.WriteString(",\n")
		}
		line := bytes.Buffer{}
		encoder := json.NewEncoder(&line)
		encoder.SetEscapeHTML(false)
		check(encoder.Encode(cases[i]))
		out.Write(bytes.TrimSpace(line.Bytes()))
	}
	out.WriteString("\n]\n")
	check(os.WriteFile(path, out.Bytes(), 0o644))
}

func answerFor(c *valueCase, raw json.RawMessage) valueAnswer {
	asDefault := validation.NewSchemaValidatorFromOpenAPI(schema(&testCase{Schema: c.Schema}).ToKubeOpenAPI())
	v1 := &apiextensionsv1.JSONSchemaProps{}
	check(json.Unmarshal(c.Schema, v1))
	internal := &apiextensions.JSONSchemaProps{}
	check(apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(v1, internal, nil))
	asResource, _, err := validation.NewSchemaValidator(internal)
	check(err)
	var value interface{}
	check(kjson.Unmarshal(raw, &value))
	return valueAnswer{
		Default:  orNil(texts(validation.ValidateCustomResource(field.NewPath("here"), value, asDefault))),
		Resource: orNil(texts(validation.ValidateCustomResource(nil, value, asResource))),
	}
}

func orNil(lines []string) []string {
	sort.Strings(lines)
	if len(lines) == 0 {
		return nil
	}
	return lines
}
