package main

import (
	"encoding/json"
	"os"
	"time"

	"github.com/google/cel-go/cel"
	"k8s.io/apimachinery/pkg/util/version"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/cel/environment"
)

// Measured in slices, of which the fastest counts: on a machine with other work the slow ones are not the evaluation's.
const (
	slice  = 20 * time.Millisecond
	slices = 20
)

// measure reads an object and expressions about it, and prints the nanoseconds that one evaluation of each takes.
func measure(file string) {
	text, err := os.ReadFile(file)
	if err != nil {
		panic(err)
	}
	var given struct {
		Object      map[string]any `json:"object"`
		Expressions []string       `json:"expressions"`
	}
	if err := json.Unmarshal(text, &given); err != nil {
		panic(err)
	}
	given.Object = withIntegers(given.Object).(map[string]any)
	set, err := environment.MustBaseEnvSet(version.MajorMinor(1, 36)).Extend(environment.VersionedOptions{
		IntroducedVersion: version.MajorMinor(1, 0),
		EnvOptions:        []cel.EnvOption{cel.Variable("object", cel.DynType)},
	})
	if err != nil {
		panic(err)
	}
	env := set.StoredExpressionsEnv()
	rows := make([]any, len(given.Expressions))
	for i, expression := range given.Expressions {
		ast, issues := env.Compile(expression)
		if issues != nil {
			panic(expression + ": " + issues.String())
		}
		program, err := env.Program(ast, cel.CostLimit(celconfig.PerCallLimit), cel.InterruptCheckFrequency(celconfig.CheckFrequency))
		if err != nil {
			panic(err)
		}
		activation := map[string]any{"object": given.Object}
		value, _, err := program.Eval(activation)
		if err != nil {
			panic(expression + ": " + err.Error())
		}
		best := 1e18
		for n := 0; n < slices; n++ {
			count, began := 0, time.Now()
			for time.Since(began) < slice {
				for k := 0; k < 100; k++ {
					_, _, _ = program.Eval(activation)
				}
				count += 100
			}
			if each := float64(time.Since(began).Nanoseconds()) / float64(count); each < best {
				best = each
			}
		}
		rows[i] = map[string]any{"value": value.Value(), "ns": best}
	}
	printRows(rows)
}

// withIntegers holds whole numbers as unstructured objects do.
func withIntegers(value any) any {
	switch value := value.(type) {
	case map[string]any:
		for name, member := range value {
			value[name] = withIntegers(member)
		}
	case []any:
		for i, item := range value {
			value[i] = withIntegers(item)
		}
	case float64:
		return int64(value)
	}
	return value
}
