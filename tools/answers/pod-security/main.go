// Asks upstream's own library for its verdicts on the pods of its own fixtures, at every level and version.
//
//	go run . > ../../../packages/apiserver/src/admission/pod-security/testdata/answers.json
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/pod-security-admission/api"
	"k8s.io/pod-security-admission/policy"
	"sigs.k8s.io/yaml"
)

type answer struct {
	From   int    `json:"from"`
	Reason string `json:"reason"`
	Detail string `json:"detail"`
}

type row struct {
	Annotations map[string]string `json:"annotations,omitempty"`
	Spec        any               `json:"spec"`
	Baseline    []answer          `json:"baseline"`
	Restricted  []answer          `json:"restricted"`
}

const latest = 99

func main() {
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "k8s.io/pod-security-admission").Output()
	check(err)
	evaluator, err := policy.NewEvaluator(policy.DefaultChecks(), nil)
	check(err)
	files := []string{}
	check(filepath.WalkDir(filepath.Join(strings.TrimSpace(string(dir)), "test", "testdata"), func(path string, _ os.DirEntry, err error) error {
		if strings.HasSuffix(path, ".yaml") {
			files = append(files, path)
		}
		return err
	}))
	sort.Strings(files)
	seen := map[string]bool{}
	for _, path := range files {
		data, err := os.ReadFile(path)
		check(err)
		pod := &corev1.Pod{}
		// Where images come from is nothing that is checked.
		check(yaml.Unmarshal([]byte(strings.ReplaceAll(string(data), "registry.k8s.io/", "")), pod))
		var spec map[string]any
		text, err := json.Marshal(pod.Spec)
		check(err)
		check(json.Unmarshal(text, &spec))
		key, err := json.Marshal([]any{pod.Annotations, spec})
		check(err)
		if seen[string(key)] {
			continue
		}
		seen[string(key)] = true
		out, err := json.Marshal(row{pod.Annotations, spec, ask(evaluator, api.LevelBaseline, pod), ask(evaluator, api.LevelRestricted, pod)})
		check(err)
		if len(seen) == 1 {
			fmt.Printf("[\n%s", out)
		} else {
			fmt.Printf(",\n%s", out)
		}
	}
	fmt.Println("\n]")
}

// From each version on at which the answer changes; 99 is the latest.
func ask(evaluator policy.Evaluator, level api.Level, pod *corev1.Pod) []answer {
	answers := []answer{}
	for minor := 0; minor <= latest; minor++ {
		version := api.MajorMinorVersion(1, minor)
		if minor == latest {
			version = api.LatestVersion()
		}
		result := policy.AggregateCheckResults(evaluator.EvaluatePod(api.LevelVersion{Level: level, Version: version}, &pod.ObjectMeta, &pod.Spec))
		next := answer{minor, result.ForbiddenReason(), result.ForbiddenDetail()}
		if len(answers) == 0 || answers[len(answers)-1].Reason != next.Reason || answers[len(answers)-1].Detail != next.Detail {
			answers = append(answers, next)
		}
	}
	return answers
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
