// Records what upstream's field manager makes of writes and applies. Reads a file of scenarios, fills in the answer of every
// step and writes it back:
//
//	go run . ../../../packages/api/test/testdata/field-manager.json
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/client-go/applyconfigurations"
	"k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

type step struct {
	// create, update (a whole object), merge (a JSON merge patch), apply
	Op          string          `json:"op"`
	Manager     string          `json:"manager"`
	Subresource string          `json:"subresource,omitempty"`
	Force       bool            `json:"force,omitempty"`
	Object      json.RawMessage `json:"object"`
	// Members that this way of writing resets.
	Reset  [][]string `json:"reset,omitempty"`
	Answer *answer    `json:"answer,omitempty"`
}

type answer struct {
	// The object as Go writes it, managedFields included.
	Object json.RawMessage `json:"object,omitempty"`
	// What was written, for update and merge.
	Next json.RawMessage `json:"next,omitempty"`
	// metav1.Status, or an error that is none.
	Status *metav1.Status `json:"status,omitempty"`
	Error  string         `json:"error,omitempty"`
}

type scenario struct {
	Name  string `json:"name"`
	Steps []step `json:"steps"`
}

func main() {
	path := os.Args[1]
	text, err := os.ReadFile(path)
	check(err)
	var scenarios []scenario
	check(json.Unmarshal(text, &scenarios))
	var out bytes.Buffer
	out.WriteString("[\n")
	for i := range scenarios {
		run(&scenarios[i])
		line, err := json.Marshal(scenarios[i])
		check(err)
		out.Write(line)
		if i < len(scenarios)-1 {
			out.WriteByte(',')
		}
		out.WriteByte('\n')
	}
	out.WriteString("]\n")
	check(os.WriteFile(path, out.Bytes(), 0o644))
}

func run(s *scenario) {
	var live runtime.Object
	for i := range s.Steps {
		st := &s.Steps[i]
		next, a := try(live, st)
		st.Answer = a
		if next == nil {
			continue
		}
		accessor, err := meta.Accessor(next)
		check(err)
		if st.Op == "create" || live == nil {
			accessor.SetUID(types.UID("11111111-2222-3333-4444-555555555555"))
		}
		settleTimes(accessor, i)
		a.Object, err = json.Marshal(next)
		check(err)
		live = next
	}
}

// Entries written in this step get a time of their own: a minute per step.
func settleTimes(accessor metav1.Object, i int) {
	entries := accessor.GetManagedFields()
	for j := range entries {
		if entries[j].Time != nil && time.Since(entries[j].Time.Time) < time.Hour {
			entries[j].Time = &metav1.Time{Time: time.Date(2024, 1, 1, 0, i, 0, 0, time.UTC)}
		}
	}
	accessor.SetManagedFields(entries)
}

func try(live runtime.Object, st *step) (runtime.Object, *answer) {
	var head metav1.TypeMeta
	check(json.Unmarshal(st.Object, &head))
	gvk := schema.FromAPIVersionAndKind(head.APIVersion, head.Kind)
	if live != nil {
		gvk = live.GetObjectKind().GroupVersionKind()
	}
	fm := manager(gvk, st)
	a := &answer{}
	var result runtime.Object
	var err error
	switch st.Op {
	case "create":
		result, err = fm.Update(empty(gvk), typed(gvk, st.Object), st.Manager)
	case "update":
		next := typed(gvk, st.Object)
		a.Next, _ = json.Marshal(next)
		result, err = fm.Update(live, next, st.Manager)
	case "merge":
		text, e := json.Marshal(live)
		check(e)
		text, e = jsonpatch.MergePatch(text, st.Object)
		check(e)
		next := typed(gvk, text)
		a.Next, _ = json.Marshal(next)
		result, err = fm.Update(live, next, st.Manager)
	case "apply":
		if live == nil {
			live = empty(gvk)
		}
		applied := map[string]interface{}{}
		check(json.Unmarshal(st.Object, &applied))
		result, err = fm.Apply(live, &unstructured.Unstructured{Object: applied}, st.Manager, st.Force)
	case "forget": // stored by someone who knows no managedFields
		result = live.DeepCopyObject()
		accessor, e := meta.Accessor(result)
		check(e)
		accessor.SetManagedFields(nil)
	default:
		panic("unknown op " + st.Op)
	}
	if err != nil {
		var status apierrors.APIStatus
		if errors.As(err, &status) {
			st := status.Status()
			a.Status = &st
		} else {
			a.Error = err.Error()
		}
		return nil, a
	}
	result.GetObjectKind().SetGroupVersionKind(gvk)
	return result, a
}

func manager(gvk schema.GroupVersionKind, st *step) *managedfields.FieldManager {
	reset := fieldpath.NewSet()
	for _, path := range st.Reset {
		parts := []interface{}{}
		for _, part := range path {
			parts = append(parts, part)
		}
		reset.Insert(fieldpath.MakePathOrDie(parts...))
	}
	fm, err := managedfields.NewDefaultFieldManager(
		applyconfigurations.NewTypeConverter(scheme.Scheme),
		runtime.UnsafeObjectConvertor(scheme.Scheme), scheme.Scheme, scheme.Scheme,
		gvk, gvk.GroupVersion(), st.Subresource,
		fieldpath.NewExcludeFilterSetMap(map[fieldpath.APIVersion]*fieldpath.Set{fieldpath.APIVersion(gvk.GroupVersion().String()): reset}),
	)
	check(err)
	return fm
}

func empty(gvk schema.GroupVersionKind) runtime.Object {
	obj, err := scheme.Scheme.New(gvk)
	check(err)
	obj.GetObjectKind().SetGroupVersionKind(gvk)
	return obj
}

func typed(gvk schema.GroupVersionKind, text []byte) runtime.Object {
	obj := empty(gvk)
	if err := json.Unmarshal(text, obj); err != nil {
		panic(fmt.Sprintf("%v in %s", err, text))
	}
	return obj
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
