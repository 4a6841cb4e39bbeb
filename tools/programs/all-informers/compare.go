package main

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"time"

	apiequality "k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/tools/cache"
)

var namespaces = schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}

// compareUntilEqual waits until every cache holds what the server lists; what still differs after the limit is a
// problem. It answers how many objects were compared.
func compareUntilEqual(ctx context.Context, client dynamic.Interface, resources []Resource, all []*Informer, limit time.Duration, problems *Complaints) int {
	deadline := time.Now().Add(limit)
	for {
		objects, differences := compare(ctx, client, resources, all)
		if len(differences) == 0 {
			return objects
		}
		if time.Now().After(deadline) {
			for _, text := range differences {
				problems.Add("%s", text)
			}
			return objects
		}
		time.Sleep(500 * time.Millisecond)
	}
}

func compare(ctx context.Context, client dynamic.Interface, resources []Resource, all []*Informer) (objects int, differences []string) {
	for _, resource := range resources {
		list, err := client.Resource(resource.GroupVersionResource).List(ctx, everything)
		if err != nil {
			differences = append(differences, fmt.Sprintf("listing %s: %v", resource, err))
			continue
		}
		listed := map[string]*unstructured.Unstructured{}
		for index := range list.Items {
			listed[must(cache.MetaNamespaceKeyFunc(&list.Items[index]))] = &list.Items[index]
		}
		for _, one := range all {
			if one.resource == resource {
				objects += len(listed)
				differences = append(differences, one.differences(listed)...)
			}
		}
	}
	return objects, differences
}

func (i *Informer) differences(listed map[string]*unstructured.Unstructured) (found []string) {
	store := i.shared.GetStore()
	for _, key := range store.ListKeys() {
		if listed[key] == nil {
			found = append(found, fmt.Sprintf("%s: has %s, which the server does not list", i.name, key))
		}
	}
	for key, object := range listed {
		cached, exists, _ := store.GetByKey(key)
		if !exists {
			found = append(found, fmt.Sprintf("%s: lacks %s", i.name, key))
			continue
		}
		if have, want := must(meta.Accessor(cached)).GetResourceVersion(), object.GetResourceVersion(); have != want {
			found = append(found, fmt.Sprintf("%s: %s is at %s, the server lists %s", i.name, key, have, want))
		} else if text := contentDifference(cached.(runtime.Object), object); text != "" {
			found = append(found, fmt.Sprintf("%s: %s differs from what the server lists: %s", i.name, key, text))
		}
	}
	return found
}

// contentDifference reads the listed JSON into the type of the cached object, however that one came over the wire.
func contentDifference(cached runtime.Object, listed *unstructured.Unstructured) string {
	cached = cached.DeepCopyObject()
	if dynamic, ok := cached.(*unstructured.Unstructured); ok {
		// Items of a list of a built-in kind carry no kind of their own, client-go fills them in.
		if apiequality.Semantic.DeepEqual(dynamic.Object, listed.Object) {
			return ""
		}
		return shorten(dynamic.Object, listed.Object)
	}
	fresh := reflect.New(reflect.TypeOf(cached).Elem()).Interface().(runtime.Object)
	if _, isMetadata := fresh.(*metav1.PartialObjectMetadata); isMetadata {
		listed = &unstructured.Unstructured{Object: map[string]any{"metadata": listed.Object["metadata"]}}
		withoutConverted(cached)
		listed = listed.DeepCopy()
		withoutConverted(listed)
	}
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(listed.Object, fresh); err != nil {
		return err.Error()
	}
	fresh.GetObjectKind().SetGroupVersionKind(schema.GroupVersionKind{})
	cached.GetObjectKind().SetGroupVersionKind(schema.GroupVersionKind{})
	if apiequality.Semantic.DeepEqual(cached, fresh) {
		return ""
	}
	return shorten(cached, fresh)
}

// withoutConverted takes the annotations away that kube-apiserver makes of internal fields when it converts an object to
// the version asked for. Metadata alone is not converted, so there they are missing.
func withoutConverted(obj runtime.Object) {
	object := must(meta.Accessor(obj))
	annotations := object.GetAnnotations()
	for name := range annotations {
		if name == "deprecated.daemonset.template.generation" || strings.HasPrefix(name, "autoscaling.alpha.kubernetes.io/") {
			delete(annotations, name)
		}
	}
	object.SetAnnotations(annotations)
}

// shorten shows both around the place where they part.
func shorten(have, want any) string {
	a, b := fmt.Sprintf("%+v", have), fmt.Sprintf("%+v", want)
	at := 0
	for at < len(a) && at < len(b) && a[at] == b[at] {
		at++
	}
	from := max(0, at-60)
	return fmt.Sprintf("%q instead of %q", a[from:min(len(a), at+80)], b[from:min(len(b), at+80)])
}
