package main

import (
	"encoding/json"
	"os"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	fakediscovery "k8s.io/client-go/discovery/fake"
	"k8s.io/client-go/restmapper"
	clienttesting "k8s.io/client-go/testing"
)

func init() {
	tables["rest-mapper"] = restMapper
}

type served struct {
	Name             string
	PreferredVersion string
	Versions         []struct {
		Version   string
		Resources []struct {
			Resource, Singular, Kind string
			Namespaced               bool
			ShortNames, Categories   []string
		}
	}
}

// The groups are read from the test's own file.
func restMapper() any {
	text, err := os.ReadFile("../../../packages/apimachinery/src/rest-mapper/testdata/groups.json")
	if err != nil {
		panic(err)
	}
	var groups []served
	if err := json.Unmarshal(text, &groups); err != nil {
		panic(err)
	}
	all := []*restmapper.APIGroupResources{}
	lists := []*metav1.APIResourceList{}
	for _, group := range groups {
		found := &restmapper.APIGroupResources{Group: metav1.APIGroup{Name: group.Name, PreferredVersion: metav1.GroupVersionForDiscovery{Version: group.PreferredVersion}}, VersionedResources: map[string][]metav1.APIResource{}}
		for _, version := range group.Versions {
			gv := schema.GroupVersion{Group: group.Name, Version: version.Version}
			found.Group.Versions = append(found.Group.Versions, metav1.GroupVersionForDiscovery{GroupVersion: gv.String(), Version: version.Version})
			list := &metav1.APIResourceList{GroupVersion: gv.String()}
			for _, r := range version.Resources {
				list.APIResources = append(list.APIResources, metav1.APIResource{Name: r.Resource, SingularName: r.Singular, Kind: r.Kind, Namespaced: r.Namespaced, ShortNames: r.ShortNames, Categories: r.Categories})
			}
			found.VersionedResources[version.Version] = list.APIResources
			lists = append(lists, list)
		}
		all = append(all, found)
	}
	client := &fakediscovery.FakeDiscovery{Fake: &clienttesting.Fake{Resources: lists}}
	warnings := []string{}
	mapper := restmapper.NewShortcutExpander(restmapper.NewDiscoveryRESTMapper(all), client, func(warning string) { warnings = append(warnings, warning) })
	rows := []any{}
	for _, partial := range []schema.GroupVersionResource{
		{Resource: "pods"}, {Resource: "pod"}, {Resource: "po"}, {Resource: "Pods"}, {Resource: "PO"}, {Group: "example.com", Resource: "pods"}, {Group: "example", Resource: "pod"}, {Group: "example", Resource: "m"}, {Group: "example", Version: "v1", Resource: "pods"}, {Group: "example.com", Version: "v1", Resource: "po"},
		{Resource: "events"}, {Resource: "ev"}, {Group: "events.k8s.io", Resource: "ev"}, {Group: "events", Resource: "events"}, {Resource: "endpoints"}, {Resource: "ep"}, {Resource: "nodes"}, {Resource: "node"}, {Resource: "hpa"}, {Version: "v1", Resource: "horizontalpodautoscalers"}, {Group: "autoscaling", Version: "v1", Resource: "horizontalpodautoscalers"}, {Group: "autoscal", Resource: "hpa"},
		{Group: "storage", Resource: "storageclass"}, {Resource: "sc"}, {Group: "storage", Resource: "sc"}, {Resource: "oldthings"}, {Resource: "mice"}, {Resource: "mouse"}, {Resource: "twin"}, {Resource: "twins"}, {Resource: "podlists"}, {Resource: "lists"}, {Resource: "foos"}, {Group: "x", Version: "y", Resource: "foos"}, {Group: "apps", Resource: "pods"}, {Resource: "pods/status"},
	} {
		warnings = []string{}
		resource, err := mapper.ResourceFor(partial)
		kind, kindErr := mapper.KindFor(partial)
		row := map[string]any{"partial": map[string]string{"group": partial.Group, "version": partial.Version, "resource": partial.Resource}}
		row["resource"] = answer(resource.String(), err)
		row["kind"] = answer(kind.String(), kindErr)
		if len(warnings) > 0 {
			row["warning"] = warnings[0]
		}
		rows = append(rows, row)
	}
	for _, gk := range []schema.GroupKind{{Kind: "Pod"}, {Kind: "pod"}, {Group: "example.com", Kind: "Pod"}, {Group: "example", Kind: "Pod"}, {Group: "autoscaling", Kind: "HorizontalPodAutoscaler"}, {Group: "storage.k8s.io", Kind: "OldThing"}, {Kind: "Foo"}, {Group: "example.com", Kind: "Mouse"}, {Kind: "PodList"}, {Kind: "Node"}} {
		for _, versions := range [][]string{{}, {"v1"}, {"v2"}, {"v3", "v1"}, {"v9"}, {"v8", "v9"}} {
			mapping, err := mapper.RESTMapping(gk, versions...)
			row := map[string]any{"groupKind": map[string]string{"group": gk.Group, "kind": gk.Kind}, "versions": versions}
			if err != nil {
				row["error"] = err.Error()
			} else {
				row["resource"] = mapping.Resource.String()
				row["namespaced"] = mapping.Scope.Name() == meta.RESTScopeNameNamespace
			}
			rows = append(rows, row)
		}
	}
	for _, name := range []string{"pods", "po", "mice", "nodes", "endpoints", "foos", "sc"} {
		singular, err := mapper.ResourceSingularizer(name)
		rows = append(rows, map[string]any{"plural": name, "singular": answer(singular, err)})
	}
	return rows
}
