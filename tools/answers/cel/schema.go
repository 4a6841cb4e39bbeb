package main

import (
	"encoding/json"
	"math"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/checker"
	"github.com/google/cel-go/common/types/ref"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	schemacel "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	"k8s.io/apimachinery/pkg/util/version"
	apiservercel "k8s.io/apiserver/pkg/cel"
	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/apiserver/pkg/cel/library"
)

// described is data of a custom resource with the schema it is seen through: "self" of validation rules.
type described struct {
	env       *cel.Env
	estimator checker.CostEstimator
	self      ref.Val
}

func describe(schemaJSON, selfJSON json.RawMessage, isRoot bool) described {
	external := &v1.JSONSchemaProps{}
	if err := json.Unmarshal(schemaJSON, external); err != nil {
		panic(err)
	}
	internal := &apiextensions.JSONSchemaProps{}
	if err := v1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(external, internal, nil); err != nil {
		panic(err)
	}
	structural, err := schema.NewStructural(internal)
	if err != nil {
		panic(err)
	}
	if isRoot {
		structural = model.WithTypeAndObjectMeta(structural)
	}
	declared := model.SchemaDeclType(structural, isRoot).MaybeAssignTypeName("selfType")
	set, err := environment.MustBaseEnvSet(version.MajorMinor(1, 36)).Extend(environment.VersionedOptions{
		IntroducedVersion: version.MajorMinor(1, 0),
		EnvOptions:        []cel.EnvOption{cel.Variable("self", declared.CelType())},
		DeclTypes:         []*apiservercel.DeclType{declared},
	})
	if err != nil {
		panic(err)
	}
	return described{
		env:       set.StoredExpressionsEnv(),
		estimator: &library.CostEstimator{SizeEstimator: declaredSizes{declared}},
		self:      schemacel.UnstructuredToVal(unstructured(selfJSON), structural),
	}
}

// unstructured reads JSON as the API machinery does: whole numbers are int64.
func unstructured(text json.RawMessage) any {
	var value any
	if err := json.Unmarshal(text, &value); err != nil {
		panic(err)
	}
	return wholeNumbers(value)
}

func wholeNumbers(value any) any {
	switch v := value.(type) {
	case float64:
		if v == math.Trunc(v) {
			return int64(v)
		}
	case []any:
		for i := range v {
			v[i] = wholeNumbers(v[i])
		}
	case map[string]any:
		for key := range v {
			v[key] = wholeNumbers(v[key])
		}
	}
	return value
}

// declaredSizes finds the bound of what a path leads to, as the validation of definitions does.
type declaredSizes struct{ root *apiservercel.DeclType }

func (d declaredSizes) EstimateSize(element checker.AstNode) *checker.SizeEstimate {
	path := element.Path()
	if len(path) == 0 {
		return nil
	}
	at := d.root
	for _, name := range path[1:] {
		switch name {
		case "@items", "@values":
			at = at.ElemType
		case "@keys":
			at = at.KeyType
		default:
			field, ok := at.Fields[name]
			if !ok {
				return nil
			}
			at = field.Type
		}
		if at == nil {
			return nil
		}
	}
	return &checker.SizeEstimate{Min: 0, Max: uint64(at.MaxElements)}
}

func (declaredSizes) EstimateCallCost(function, overload string, target *checker.AstNode, args []checker.AstNode) *checker.CallEstimate {
	return nil
}
