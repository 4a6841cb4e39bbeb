package main

import (
	"context"
	"encoding/json"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apiextensions-apiserver/pkg/crdserverscheme"
	"k8s.io/apiextensions-apiserver/pkg/registry/customresource"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	kjson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apiserver/pkg/warning"
)

type objectCase struct {
	Version apiextensionsv1.CustomResourceDefinitionVersion `json:"version"`
	Scope   string                                          `json:"scope"`
	Object  json.RawMessage                                 `json:"object"`
	Old     json.RawMessage                                 `json:"old"`
	View    string                                          `json:"view"`
}

type objectAnswer struct {
	Errors   []string               `json:"errors"`
	Warnings []string               `json:"warnings,omitempty"`
	Prepared map[string]interface{} `json:"prepared"`
	Fields   map[string]string      `json:"fields"`
}

type recorder struct{ texts []string }

func (r *recorder) AddWarning(_, text string) { r.texts = append(r.texts, text) }

// answerObject does what a create or an update does between decoding and storing.
func answerObject(text json.RawMessage) interface{} {
	var c objectCase
	check(kjson.Unmarshal(text, &c))
	warnings := &recorder{}
	ctx := warning.WithWarningRecorder(context.Background(), warnings)
	kind := schema.GroupVersionKind{Group: "example.com", Version: c.Version.Name, Kind: "Thing"}
	var s *structural.Structural
	var props *apiextensions.JSONSchemaProps
	if c.Version.Schema != nil {
		s = structuralOf(c.Version.Schema.OpenAPIV3Schema)
		check(defaulting.PruneDefaults(s))
		props = internalSchema(c.Version.Schema.OpenAPIV3Schema)
	}
	validator, _, err := validation.NewSchemaValidator(props)
	check(err)
	var status *apiextensions.CustomResourceSubresourceStatus
	var statusValidator validation.SchemaValidator
	var scale *apiextensions.CustomResourceSubresourceScale
	if sub := c.Version.Subresources; sub != nil {
		if sub.Status != nil {
			status = &apiextensions.CustomResourceSubresourceStatus{}
			if statusProps, ok := props.Properties["status"]; ok {
				statusValidator, _, err = validation.NewSchemaValidator(&statusProps)
				check(err)
			}
		}
		if sub.Scale != nil {
			scale = &apiextensions.CustomResourceSubresourceScale{SpecReplicasPath: sub.Scale.SpecReplicasPath, StatusReplicasPath: sub.Scale.StatusReplicasPath, LabelSelectorPath: sub.Scale.LabelSelectorPath}
		}
	}
	strategy := customresource.NewStrategy(crdserverscheme.NewUnstructuredObjectTyper(), c.Scope != "Cluster", kind, validator, statusValidator, s, status, scale, c.Version.SelectableFields)
	object := unstructuredOf(c.Object)
	a := objectAnswer{}
	switch {
	case c.Old == nil:
		strategy.PrepareForCreate(ctx, object)
		a.Errors = texts(strategy.Validate(ctx, object))
		a.Warnings = strategy.WarningsOnCreate(ctx, object)
	case c.View == "status":
		old, view := unstructuredOf(c.Old), customresource.NewStatusStrategy(strategy)
		view.PrepareForUpdate(ctx, object, old)
		a.Errors = texts(view.ValidateUpdate(ctx, object, old))
	default:
		old := unstructuredOf(c.Old)
		strategy.PrepareForUpdate(ctx, object, old)
		a.Errors = texts(strategy.ValidateUpdate(ctx, object, old))
		a.Warnings = strategy.WarningsOnUpdate(ctx, object, old)
	}
	a.Warnings = append(a.Warnings, warnings.texts...)
	a.Prepared = object.Object
	_, fields, err := strategy.GetAttrs(object)
	check(err)
	a.Fields = fields
	return a
}

func unstructuredOf(text json.RawMessage) *unstructured.Unstructured {
	out := &unstructured.Unstructured{Object: map[string]interface{}{}}
	check(kjson.Unmarshal(text, &out.Object))
	return out
}
