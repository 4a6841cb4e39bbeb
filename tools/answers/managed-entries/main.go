// Records how upstream carries managedFields over to a Scale and back and from client-side to server-side apply, and how it reads
// and writes sets of fields. Reads a
// file of cases, fills in the answers and writes it back:
//
//	go run . ../../../packages/apimachinery/src/managed-fields/testdata/entries.json
package main

import (
	"bytes"
	"encoding/json"
	"os"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/client-go/util/csaupgrade"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

type entries = []metav1.ManagedFieldsEntry

type scaleCase struct {
	Name   string  `json:"name"`
	Parent entries `json:"parent"`
	Scale  entries `json:"scale"`
	// What ToSubresource makes of the parent's, and ToParent of both.
	ToScale  entries `json:"toScale"`
	ToParent entries `json:"toParent"`
}

type upgradeCase struct {
	Name        string   `json:"name"`
	Entries     entries  `json:"entries"`
	From        []string `json:"from"`
	To          string   `json:"to"`
	Subresource string   `json:"subresource,omitempty"`
	Answer      entries  `json:"answer"`
}

// A set as a client may write it, and as it is written back.
type fieldsCase struct {
	Fields json.RawMessage `json:"fields"`
	Answer json.RawMessage `json:"answer,omitempty"`
	Paths  []string        `json:"paths,omitempty"`
	Failed bool            `json:"failed,omitempty"`
}

type file struct {
	Scale   []scaleCase   `json:"scale"`
	Upgrade []upgradeCase `json:"upgrade"`
	Fields  []fieldsCase  `json:"fields"`
}

func main() {
	path := os.Args[1]
	text, err := os.ReadFile(path)
	check(err)
	var f file
	check(json.Unmarshal(text, &f))
	replicas := fieldpath.MakePathOrDie("spec", "replicas")
	mappings := managedfields.ResourcePathMappings{"apps/v1": replicas, "apps/v1beta1": replicas}
	for i := range f.Scale {
		c := &f.Scale[i]
		handler := managedfields.NewScaleHandler(c.Parent, schema.GroupVersion{Group: "apps", Version: "v1"}, mappings)
		c.ToScale, err = handler.ToSubresource()
		check(err)
		c.ToParent, err = handler.ToParent(c.Scale)
		check(err)
	}
	for i := range f.Upgrade {
		c := &f.Upgrade[i]
		object := &metav1.PartialObjectMetadata{}
		object.SetManagedFields(c.Entries)
		check(csaupgrade.UpgradeManagedFields(object, sets.New(c.From...), c.To, csaupgrade.Subresource(c.Subresource)))
		c.Answer = object.GetManagedFields()
	}
	for i := range f.Fields {
		c := &f.Fields[i]
		set := &fieldpath.Set{}
		if err := set.FromJSON(bytes.NewReader(c.Fields)); err != nil {
			c.Failed = true
			continue
		}
		c.Answer, err = set.ToJSON()
		check(err)
		set.Iterate(func(p fieldpath.Path) { c.Paths = append(c.Paths, p.String()) })
	}
	out, err := json.MarshalIndent(f, "", " ")
	check(err)
	check(os.WriteFile(path, append(out, '\n'), 0o644))
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
