package main

import (
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/checker"
	"github.com/google/cel-go/ext"
	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/apiserver/pkg/cel/library"
)

// question is one expression, to be compiled in one of the environments and evaluated.
type question struct {
	Expression string `json:"expression"`
	// "bare" (the language with all extensions that Kubernetes has), "kubernetes", "admission" (with what policies have), or "schema".
	Environment string `json:"environment"`
	// For "schema": what "self" is, and the schema it is seen through.
	Schema json.RawMessage `json:"schema,omitempty"`
	Self   json.RawMessage `json:"self,omitempty"`
	// The schema is that of a whole resource.
	IsRoot bool `json:"isRoot,omitempty"`
}

type answer struct {
	CompileError string `json:"compileError,omitempty"`
	Type         string `json:"type,omitempty"`
	// The least and most that evaluation may cost, in decimal.
	Estimate     []string `json:"estimate,omitempty"`
	ProgramError string   `json:"programError,omitempty"`
	Error        string   `json:"error,omitempty"`
	Value        any      `json:"value,omitempty"`
	Cost         *uint64  `json:"cost,omitempty"`
}

// variables are the same in every environment.
var variables = map[string]struct {
	kind  *cel.Type
	value any
}{
	"i":  {cel.IntType, int64(5)},
	"s":  {cel.StringType, "hello wörld"},
	"d":  {cel.DoubleType, 2.5},
	"b":  {cel.BoolType, true},
	"l":  {cel.ListType(cel.IntType), []int64{3, 1, 2}},
	"ls": {cel.ListType(cel.StringType), []string{"b", "a", "c", "a"}},
	"m":  {cel.MapType(cel.StringType, cel.StringType), map[string]string{"a": "x", "b": "y"}},
	"y": {cel.DynType, map[string]any{
		"int": int64(7), "text": "abc", "list": []any{int64(1), "two", 3.5}, "map": map[string]any{"k": "v"}, "none": nil, "yes": true,
	}},
}

var environments = map[string]*cel.Env{}

func environmentOf(name string) *cel.Env {
	if env := environments[name]; env != nil {
		return env
	}
	declared := []cel.EnvOption{}
	for name, variable := range variables {
		declared = append(declared, cel.Variable(name, variable.kind))
	}
	var env *cel.Env
	var err error
	switch name {
	case "bare":
		env, err = cel.NewEnv(append(declared,
			cel.CrossTypeNumericComparisons(true), cel.OptionalTypes(), ext.Strings(ext.StringsVersion(2)), ext.Lists(ext.ListsVersion(3)),
			ext.Sets(), ext.TwoVarComprehensions(), ext.Bindings())...)
	case "kubernetes", "admission":
		if name == "admission" {
			declared = append(declared, admissionOptions()...)
		}
		set := environment.MustBaseEnvSet(version.MajorMinor(1, 36))
		set, err = set.Extend(environment.VersionedOptions{IntroducedVersion: version.MajorMinor(1, 0), EnvOptions: declared})
		if err == nil {
			env, err = set.Env(environment.StoredExpressions)
		}
	default:
		panic("no environment " + name)
	}
	if err != nil {
		panic(err)
	}
	environments[name] = env
	return env
}

// noSizes knows nothing about the sizes of variables.
type noSizes struct{}

func (noSizes) EstimateSize(checker.AstNode) *checker.SizeEstimate { return nil }
func (noSizes) EstimateCallCost(function, overload string, target *checker.AstNode, args []checker.AstNode) *checker.CallEstimate {
	return nil
}

func (q question) answer() (result answer) {
	activation := map[string]any{}
	var env *cel.Env
	var estimator checker.CostEstimator = noSizes{}
	if q.Environment == "schema" {
		data := describe(q.Schema, q.Self, q.IsRoot)
		env, estimator, activation["self"] = data.env, data.estimator, data.self
	} else {
		env = environmentOf(q.Environment)
		for name, variable := range variables {
			activation[name] = variable.value
		}
		if q.Environment == "admission" {
			bindAuthorizer(activation)
		}
	}
	ast, issues := env.Compile(q.Expression)
	if issues.Err() != nil {
		result.CompileError = issues.String()
		return result
	}
	result.Type = checker.FormatCELType(ast.OutputType())
	if q.Environment != "bare" && q.Environment != "schema" {
		estimator = &library.CostEstimator{SizeEstimator: noSizes{}}
	}
	cost, err := env.EstimateCost(ast, estimator)
	if err != nil {
		panic(err)
	}
	result.Estimate = []string{strconv.FormatUint(cost.Min, 10), strconv.FormatUint(cost.Max, 10)}
	options := []cel.ProgramOption{}
	if q.Environment == "bare" {
		options = append(options, cel.EvalOptions(cel.OptOptimize, cel.OptTrackCost))
	}
	program, err := env.Program(ast, options...)
	if err != nil {
		result.ProgramError = err.Error()
		return result
	}
	value, details, err := program.Eval(activation)
	if details != nil && details.ActualCost() != nil {
		result.Cost = details.ActualCost()
	}
	if err != nil {
		result.Error = fmt.Sprint(err)
		return result
	}
	result.Value = plain(value)
	return result
}
