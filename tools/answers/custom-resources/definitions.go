package main

import (
	"context"
	"encoding/json"
	"strings"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver"
	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	"k8s.io/apiextensions-apiserver/pkg/registry/customresourcedefinition"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/cel/environment"
)

type definitionCase struct {
	Object json.RawMessage `json:"object"`
	Old    json.RawMessage `json:"old"`
}

type definitionAnswer struct {
	Errors   []string `json:"errors"`
	Warnings []string `json:"warnings,omitempty"`
	// The result of compiling each rule, by its text.
	Rules map[string]ruleAnswer `json:"rules,omitempty"`
}

type ruleAnswer struct {
	Error          string `json:"error,omitempty"`
	UsesOldSelf    bool   `json:"usesOldSelf,omitempty"`
	MaxCost        uint64 `json:"maxCost"`
	MaxCardinality uint64 `json:"maxCardinality"`
	MessageError   string `json:"messageError,omitempty"`
	MessageCost    uint64 `json:"messageCost,omitempty"`
}

func answerDefinition(text json.RawMessage) interface{} {
	var c definitionCase
	check(json.Unmarshal(text, &c))
	ctx := context.Background()
	strategy := customresourcedefinition.NewStrategy(apiserver.Scheme)
	object := internalOf(c.Object)
	a := definitionAnswer{Rules: map[string]ruleAnswer{}}
	if c.Old == nil {
		strategy.PrepareForCreate(ctx, object)
		a.Errors = texts(strategy.Validate(ctx, object))
		a.Warnings = strategy.WarningsOnCreate(ctx, object)
	} else {
		old := internalOf(c.Old)
		strategy.PrepareForUpdate(ctx, object, old)
		a.Errors = texts(strategy.ValidateUpdate(ctx, object, old))
		a.Warnings = strategy.WarningsOnUpdate(ctx, object, old)
	}
	for _, version := range definitionOf(c.Object).Spec.Versions {
		if version.Schema == nil || version.Schema.OpenAPIV3Schema == nil {
			continue
		}
		compileRules(structuralOf(version.Schema.OpenAPIV3Schema), true, a.Rules)
	}
	return a
}

func internalOf(text json.RawMessage) *apiextensions.CustomResourceDefinition {
	out := &apiextensions.CustomResourceDefinition{}
	check(apiserver.Scheme.Convert(definitionOf(text), out, nil))
	return out
}

// structuralOf answers nil for a schema that cannot be read.
func structuralOf(props *apiextensionsv1.JSONSchemaProps) *structural.Structural {
	if props == nil {
		return nil
	}
	s, err := structural.NewStructural(internalSchema(props))
	if err != nil {
		return nil
	}
	return s
}

func internalSchema(props *apiextensionsv1.JSONSchemaProps) *apiextensions.JSONSchemaProps {
	out := &apiextensions.JSONSchemaProps{}
	check(apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(props, out, nil))
	return out
}

func compileRules(s *structural.Structural, isRoot bool, into map[string]ruleAnswer) {
	if s == nil {
		return
	}
	if len(s.XValidations) > 0 {
		if declType := model.SchemaDeclType(s, isRoot || s.XEmbeddedResource); declType != nil {
			results, err := cel.Compile(s, declType, celconfig.PerCallLimit, environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion()), cel.NewExpressionsEnvLoader())
			check(err)
			for i, result := range results {
				into[s.XValidations[i].Rule] = ruleAnswerOf(result)
			}
		}
	}
	compileRules(s.Items, false, into)
	if s.AdditionalProperties != nil {
		compileRules(s.AdditionalProperties.Structural, false, into)
	}
	for _, property := range s.Properties {
		compileRules(&property, false, into)
	}
}

func ruleAnswerOf(result cel.CompilationResult) ruleAnswer {
	a := ruleAnswer{UsesOldSelf: result.UsesOldSelf, MaxCost: result.MaxCost, MaxCardinality: result.MaxCardinality, MessageCost: result.MessageExpressionMaxCost}
	if result.Error != nil {
		a.Error = result.Error.Detail
	}
	if result.MessageExpressionError != nil {
		a.MessageError = result.MessageExpressionError.Detail
	}
	a.Error = strings.TrimSpace(a.Error)
	return a
}
