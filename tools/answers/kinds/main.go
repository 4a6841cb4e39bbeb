// Answers what upstream's own strategies and printers do with an object, for the tests of packages/kinds.
//
// Reads one request per line from standard input and writes one answer per line:
//
//	{"op":"create","group":"apps","version":"v1","resource":"deployments","object":{…}}
//	{"op":"update","view":"status","old":{…},"object":{…},…}
//	{"op":"print","object":{…},…}
//	{"op":"convert","object":{…},"to":"events.k8s.io/v1",…}
//	{"op":"facts",…}
//	{"op":"labels","object":{"kind":"Pod","fields":["status.phase"]},…}
//
// A text "@-90s" in an object stands for the time that long ago, and comes back as such.
//
// `npm run tool -- programs` builds it into the cache, where the tests look for it.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"sort"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/authentication/user"
	genericapirequest "k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/apiserver/pkg/warning"
	"k8s.io/kubernetes/pkg/printers"
	printersinternal "k8s.io/kubernetes/pkg/printers/internalversion"
	"k8s.io/kubernetes/pkg/registry/core/persistentvolume"
)

type request struct {
	Op       string          `json:"op"`
	Group    string          `json:"group"`
	Version  string          `json:"version"`
	Resource string          `json:"resource"`
	View     string          `json:"view"`
	Object   json.RawMessage `json:"object"`
	Old      json.RawMessage `json:"old"`
	// Of "convert".
	To string `json:"to"`
	// In milliseconds; printers look at the clock themselves.
	Now int64 `json:"now"`
}

type answer struct {
	// What the object is after defaults, and after the strategy prepared and canonicalized it.
	Defaulted json.RawMessage `json:"defaulted,omitempty"`
	Prepared  json.RawMessage `json:"prepared,omitempty"`
	Errors    []string        `json:"errors,omitempty"`
	Warnings  []string        `json:"warnings,omitempty"`
	Cells     []any           `json:"cells,omitempty"`
	Marks     any             `json:"conditions,omitempty"`
	Columns   []string        `json:"columns,omitempty"`
	Facts     map[string]any  `json:"facts,omitempty"`
	// What kept the question from being answered at all.
	Failure string `json:"failure,omitempty"`
}

var generator = printers.NewTableGenerator().With(printersinternal.AddHandlers)

func main() {
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	out := bufio.NewWriter(os.Stdout)
	for {
		line, err := in.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) > 0 {
			encoder := json.NewEncoder(out)
			encoder.SetEscapeHTML(false)
			if err := encoder.Encode(answerTo(line)); err != nil {
				panic(err)
			}
			if in.Buffered() == 0 {
				out.Flush()
			}
		}
		if err != nil {
			break
		}
	}
	out.Flush()
}

func answerTo(line []byte) (given answer) {
	defer func() {
		if problem := recover(); problem != nil {
			given = answer{Failure: fmt.Sprint("panic: ", problem)}
		}
	}()
	var asked request
	if err := json.Unmarshal(line, &asked); err != nil {
		return answer{Failure: err.Error()}
	}
	kind, ok := kinds[asked.Group+"/"+asked.Resource]
	if !ok {
		return answer{Failure: "no such kind"}
	}
	given, err := kind.answer(asked)
	if err != nil {
		return answer{Failure: err.Error()}
	}
	return given
}

func (k kind) answer(asked request) (answer, error) {
	if asked.Op == "labels" {
		return k.labels(asked)
	}
	if asked.Op == "facts" {
		return answer{Facts: k.facts(asked)}, nil
	}
	now := time.Now()
	if asked.Op != "print" && asked.Now != 0 {
		now = time.UnixMilli(asked.Now)
	}
	persistentvolume.NowFunc = func() metav1.Time { return metav1.NewTime(now) }
	object, err := k.decode(asked, asked.Object, now)
	if err != nil {
		return answer{}, err
	}
	if asked.Op == "print" {
		return k.print(object)
	}
	if asked.Op == "convert" {
		to, err := schema.ParseGroupVersion(asked.To)
		if err != nil {
			return answer{}, err
		}
		converted, err := k.encode(request{Group: to.Group, Version: to.Version}, object, now)
		return answer{Prepared: converted}, err
	}
	ctx := contextFor(asked)
	given := answer{}
	if given.Defaulted, err = k.encode(asked, object, now); err != nil {
		return answer{}, err
	}
	var errs field.ErrorList
	recorder := &warnings{}
	ctx = warning.WithWarningRecorder(ctx, recorder)
	if asked.Op == "create" {
		strategy := k.create
		strategy.PrepareForCreate(ctx, object)
		errs = strategy.Validate(ctx, object)
		if len(errs) == 0 {
			recorder.texts = append(recorder.texts, strategy.WarningsOnCreate(ctx, object)...)
			strategy.Canonicalize(object)
		}
	} else {
		strategy, ok := k.updates[asked.View]
		if !ok {
			return answer{}, fmt.Errorf("no view %q", asked.View)
		}
		old, err := k.decode(asked, asked.Old, now)
		if err != nil {
			return answer{}, err
		}
		next, _ := meta.Accessor(object)
		before, _ := meta.Accessor(old)
		next.SetGeneration(before.GetGeneration())
		strategy.PrepareForUpdate(ctx, object, old)
		errs = strategy.ValidateUpdate(ctx, object, old)
		if len(errs) == 0 {
			recorder.texts = append(recorder.texts, strategy.WarningsOnUpdate(ctx, object, old)...)
			strategy.Canonicalize(object)
		}
	}
	given.Warnings = recorder.texts
	for _, err := range errs {
		given.Errors = append(given.Errors, err.Error())
	}
	given.Prepared, err = k.store(asked, object, now)
	return given, err
}

// store answers what is read after the object was written: defaults are set once more.
func (k kind) store(asked request, object runtime.Object, now time.Time) (json.RawMessage, error) {
	data, err := k.encode(asked, object, now)
	if err != nil {
		return nil, err
	}
	stored, err := k.decode(asked, data, now)
	if err != nil {
		return nil, err
	}
	return k.encode(asked, stored, now)
}

type warnings struct{ texts []string }

func (w *warnings) AddWarning(_, text string) { w.texts = append(w.texts, text) }

func contextFor(asked request) context.Context {
	namespace := ""
	var head metav1.PartialObjectMetadata
	if json.Unmarshal(asked.Object, &head) == nil {
		namespace = head.Namespace
	}
	ctx := genericapirequest.WithNamespace(genericapirequest.NewContext(), namespace)
	ctx = genericapirequest.WithUser(ctx, &user.DefaultInfo{Name: "alice", UID: "42", Groups: []string{"users"}, Extra: map[string][]string{"scope": {"all"}}})
	return genericapirequest.WithRequestInfo(ctx, &genericapirequest.RequestInfo{
		IsResourceRequest: true, APIGroup: asked.Group, APIVersion: asked.Version, Resource: asked.Resource, Subresource: asked.View, Namespace: namespace, Name: head.Name,
	})
}

var placeholder = regexp.MustCompile(`"@-([0-9a-z]+)(\.[0-9]+)?"`)

func (k kind) decode(asked request, data []byte, now time.Time) (runtime.Object, error) {
	data = placeholder.ReplaceAllFunc(data, func(text []byte) []byte {
		parts := placeholder.FindSubmatch(text)
		ago, err := time.ParseDuration(string(parts[1]))
		if err != nil {
			panic(err)
		}
		layout := time.RFC3339
		if len(parts[2]) > 0 {
			layout = "2006-01-02T15:04:05.000000Z07:00"
		}
		return []byte(`"` + now.Add(-ago).UTC().Format(layout) + `"`)
	})
	gv := schema.GroupVersion{Group: asked.Group, Version: asked.Version}
	decoder := k.codecs.DecoderToVersion(k.codecs.UniversalDeserializer(), schema.GroupVersion{Group: asked.Group, Version: runtime.APIVersionInternal})
	object, _, err := decoder.Decode(data, &schema.GroupVersionKind{Group: gv.Group, Version: gv.Version}, nil)
	return object, err
}

func (k kind) encode(asked request, object runtime.Object, now time.Time) (json.RawMessage, error) {
	info, _ := runtime.SerializerInfoForMediaType(k.codecs.SupportedMediaTypes(), runtime.ContentTypeJSON)
	encoder := k.codecs.EncoderForVersion(info.Serializer, schema.GroupVersion{Group: asked.Group, Version: asked.Version})
	data, err := runtime.Encode(encoder, object.DeepCopyObject())
	return bytes.TrimSpace(data), err
}

func (k kind) print(object runtime.Object) (answer, error) {
	if k.table != nil {
		table, err := k.table.ConvertToTable(genericapirequest.NewContext(), object, nil)
		return fromTable(table), err
	}
	table, err := generator.GenerateTable(object, printers.GenerateOptions{Wide: true})
	if err != nil {
		// Kinds without columns of their own.
		table, err = rest.NewDefaultTableConvertor(schema.GroupResource{}).ConvertToTable(genericapirequest.NewContext(), object, nil)
	}
	return fromTable(table), err
}

func fromTable(table *metav1.Table) answer {
	if table == nil {
		return answer{}
	}
	given := answer{}
	for _, column := range table.ColumnDefinitions {
		given.Columns = append(given.Columns, fmt.Sprintf("%s %s %q %d", column.Name, column.Type, column.Format, column.Priority))
	}
	given.Cells = table.Rows[0].Cells
	if len(table.Rows[0].Conditions) > 0 {
		given.Marks = table.Rows[0].Conditions
	}
	return given
}

// labels answers for each field that the object names whether selectors may name it: its name of today, or the error.
func (k kind) labels(asked request) (answer, error) {
	var wanted struct {
		Kind   string
		Fields []string
	}
	if err := json.Unmarshal(asked.Object, &wanted); err != nil {
		return answer{}, err
	}
	facts := map[string]any{}
	for _, field := range wanted.Fields {
		today, _, err := k.scheme.ConvertFieldLabel(schema.GroupVersionKind{Group: asked.Group, Version: asked.Version, Kind: wanted.Kind}, field, "x")
		if err != nil {
			today = "! " + err.Error()
		}
		facts[field] = today
	}
	return answer{Facts: facts}, nil
}

func (k kind) facts(asked request) map[string]any {
	facts := map[string]any{"namespaced": k.create.NamespaceScoped(), "allowCreateOnUpdate": k.updates[""].AllowCreateOnUpdate(), "allowUnconditionalUpdate": k.updates[""].AllowUnconditionalUpdate()}
	if policy, ok := k.create.(rest.GarbageCollectionDeleteStrategy); ok {
		facts["garbageCollection"] = policy.DefaultGarbageCollectionPolicy(contextFor(asked))
	}
	if _, ok := k.create.(rest.RESTGracefulDeleteStrategy); ok {
		facts["graceful"] = true
	}
	resets := map[string]any{}
	for view, strategy := range k.updates {
		if resetting, ok := strategy.(rest.ResetFieldsStrategy); ok {
			for version, set := range resetting.GetResetFields() {
				paths := []string{}
				for path := range set.All() {
					paths = append(paths, path.String())
				}
				sort.Strings(paths)
				resets[view+"@"+string(version)] = paths
			}
		}
	}
	facts["resetFields"] = resets
	return facts
}
