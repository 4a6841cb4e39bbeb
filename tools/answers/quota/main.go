// Asks upstream's own evaluators what objects use of quotas, and which scopes they are in.
//
//	go run . < ../../../packages/api/src/quota/testdata/objects.json > ../../../packages/api/src/quota/testdata/usage.json
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"sort"

	corev1 "k8s.io/api/core/v1"
	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/runtime"
	quota "k8s.io/apiserver/pkg/quota/v1"
	"k8s.io/kubernetes/pkg/quota/v1/evaluator/core"
	"k8s.io/utils/clock"
)

type row struct {
	Name    string            `json:"name"`
	Usage   map[string]string `json:"usage"`
	Scopes  []string          `json:"scopes"`
	Problem string            `json:"problem,omitempty"`
}

func main() {
	var objects []struct {
		Name     string          `json:"name"`
		Resource string          `json:"resource"`
		Object   json.RawMessage `json:"object"`
	}
	check(json.NewDecoder(os.Stdin).Decode(&objects))
	in := func(scope corev1.ResourceQuotaScope, operator corev1.ScopeSelectorOperator, values ...string) corev1.ScopedResourceSelectorRequirement {
		return corev1.ScopedResourceSelectorRequirement{ScopeName: scope, Operator: operator, Values: values}
	}
	scopes := []corev1.ScopedResourceSelectorRequirement{}
	for _, scope := range []corev1.ResourceQuotaScope{"Terminating", "NotTerminating", "BestEffort", "NotBestEffort", "PriorityClass", "CrossNamespacePodAffinity", "VolumeAttributesClass"} {
		scopes = append(scopes, in(scope, corev1.ScopeSelectorOpExists))
	}
	for _, scope := range []corev1.ResourceQuotaScope{"PriorityClass", "VolumeAttributesClass"} {
		scopes = append(scopes, in(scope, corev1.ScopeSelectorOpDoesNotExist), in(scope, corev1.ScopeSelectorOpIn, "gold", "silver"), in(scope, corev1.ScopeSelectorOpNotIn, "gold", "silver"))
	}
	rows := []row{}
	for _, each := range objects {
		evaluator, object := evaluatorOf(each.Resource)
		check(json.Unmarshal(each.Object, object))
		usage, err := evaluator.Usage(object)
		check(err)
		matched, err := evaluator.MatchingScopes(object, scopes)
		check(err)
		out := row{Name: each.Name, Usage: map[string]string{}, Scopes: []string{}}
		for name, quantity := range usage {
			out.Usage[string(name)] = quantity.String()
		}
		for _, scope := range matched {
			out.Scopes = append(out.Scopes, fmt.Sprintf("%s %s", scope.ScopeName, scope.Operator))
		}
		sort.Strings(out.Scopes)
		if err := evaluator.Constraints([]corev1.ResourceName{"cpu", "requests.memory", "limits.cpu", "pods", "requests.storage"}, object); err != nil {
			out.Problem = err.Error()
		}
		rows = append(rows, out)
	}
	text, err := json.MarshalIndent(rows, "", " ")
	check(err)
	fmt.Println(string(text))
}

func evaluatorOf(resource string) (quota.Evaluator, runtime.Object) {
	switch resource {
	case "pods":
		return core.NewPodEvaluator(nil, clock.RealClock{}), &corev1.Pod{}
	case "services":
		return core.NewServiceEvaluator(nil), &corev1.Service{}
	case "persistentvolumeclaims":
		return core.NewPersistentVolumeClaimEvaluator(nil), &corev1.PersistentVolumeClaim{}
	default:
		return core.NewResourceClaimEvaluator(nil, nil, nil, nil), &resourceapi.ResourceClaim{}
	}
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
