// Records managed fields and server-side apply of custom resources, with types made from their schema as the API server
// makes them. Reads a file of cases, fills in the answers and writes it back:
//
//	go run . ../../../packages/api/test/testdata/custom-resource-apply.json
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/controller/openapi/builder"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	kjson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/managedfields"
)

type testCase struct {
	Name   string          `json:"name"`
	Schema json.RawMessage `json:"schema"`
	// Created by "creator", then applied by "applier" with force, then Again applied by "applier" without.
	Create json.RawMessage `json:"create"`
	Apply  json.RawMessage `json:"apply"`
	Again  json.RawMessage `json:"again"`
	Answer []answer        `json:"answer,omitempty"`
}

type answer struct {
	Object json.RawMessage `json:"object,omitempty"`
	Error  string          `json:"error,omitempty"`
}

var gvk = schema.GroupVersionKind{Group: "e.com", Version: "v1", Kind: "X"}

func main() {
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

func record(c *testCase) []answer {
	fm := manager(c)
	empty := &unstructured.Unstructured{}
	empty.SetGroupVersionKind(gvk)
	created, err := fm.Update(empty, object(c.Create), "creator")
	if err != nil {
		return []answer{result(nil, err)}
	}
	created.(*unstructured.Unstructured).SetUID("u")
	out := []answer{result(created, nil)}
	applied, err := fm.Apply(created, object(c.Apply), "applier", true)
	out = append(out, result(applied, err))
	if err != nil {
		return out
	}
	return append(out, result(fm.Apply(applied, object(c.Again), "applier", false)))
}

func result(obj runtime.Object, err error) answer {
	var status apierrors.APIStatus
	if errors.As(err, &status) {
		return answer{Error: status.Status().Message}
	}
	if err != nil {
		return answer{Error: err.Error()}
	}
	u := obj.DeepCopyObject().(*unstructured.Unstructured)
	entries := u.GetManagedFields()
	for i := range entries {
		entries[i].Time = nil
	}
	u.SetManagedFields(entries)
	text, e := kjson.Marshal(u.Object)
	check(e)
	return answer{Object: text}
}

func manager(c *testCase) *managedfields.FieldManager {
	props := &apiextensionsv1.JSONSchemaProps{}
	check(json.Unmarshal(c.Schema, props))
	crd := &apiextensionsv1.CustomResourceDefinition{Spec: apiextensionsv1.CustomResourceDefinitionSpec{
		Group: gvk.Group,
		Names: apiextensionsv1.CustomResourceDefinitionNames{Plural: "xs", Singular: "x", Kind: "X", ListKind: "XList"},
		Scope: apiextensionsv1.NamespaceScoped,
		Versions: []apiextensionsv1.CustomResourceDefinitionVersion{{
			Name: "v1", Served: true, Storage: true, Schema: &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: props},
		}},
	}}
	spec, err := builder.BuildOpenAPIV3(crd, "v1", builder.Options{})
	check(err)
	converter, err := managedfields.NewTypeConverter(spec.Components.Schemas, false)
	check(err)
	fm, err := managedfields.NewDefaultCRDFieldManager(converter, same{}, none{}, creater{}, gvk, gvk.GroupVersion(), "", nil)
	check(err)
	return fm
}

// One version only: nothing to convert, nothing to default.
type same struct{}

func (same) Convert(in, out, context interface{}) error { panic("not called") }
func (same) ConvertToVersion(in runtime.Object, _ runtime.GroupVersioner) (runtime.Object, error) {
	return in, nil
}
func (same) ConvertFieldLabel(_ schema.GroupVersionKind, _, _ string) (string, string, error) {
	panic("not called")
}

type none struct{}

func (none) Default(runtime.Object) {}

type creater struct{}

func (creater) New(kind schema.GroupVersionKind) (runtime.Object, error) {
	u := &unstructured.Unstructured{}
	u.SetGroupVersionKind(kind)
	return u, nil
}

func object(text json.RawMessage) *unstructured.Unstructured {
	out := map[string]interface{}{}
	check(kjson.Unmarshal(text, &out))
	return &unstructured.Unstructured{Object: out}
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
