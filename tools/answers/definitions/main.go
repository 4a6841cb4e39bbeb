// Writes what controller-gen makes of the types in ./v1 and ./v1beta1, as JSON by name of the kind, to standard output:
//
//	cd tools/answers/definitions && go run . > ../../../packages/schema-types/testdata/definitions/controller-gen.json
//
// packages/schema-types/testdata/definitions/v1/shapes.ts has the same types in TypeScript.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"golang.org/x/tools/go/packages"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/controller-tools/pkg/crd"
	crdmarkers "sigs.k8s.io/controller-tools/pkg/crd/markers"
	"sigs.k8s.io/controller-tools/pkg/loader"
	"sigs.k8s.io/controller-tools/pkg/markers"
)

func main() {
	roots, err := loader.LoadRoots("./v1", "./v1beta1")
	must(err)
	registry := &markers.Registry{}
	must(crdmarkers.Register(registry))
	parser := &crd.Parser{
		Collector:           &markers.Collector{Registry: registry},
		Checker:             &loader.TypeChecker{},
		AllowDangerousTypes: true,
	}
	crd.AddKnownTypes(parser)
	for _, root := range roots {
		parser.NeedPackage(root)
	}
	metav1 := crd.FindMetav1(roots)
	answers := map[string]apiextensionsv1.CustomResourceDefinition{}
	for _, kind := range crd.FindKubeKinds(parser, metav1) {
		parser.NeedCRDFor(kind, nil)
		answer := parser.CustomResourceDefinitions[kind]
		for _, version := range answer.Spec.Versions {
			withoutWords(version.Schema.OpenAPIV3Schema)
		}
		answers[kind.Kind] = answer
	}
	if loader.PrintErrors(roots, packages.TypeError) {
		os.Exit(1)
	}
	text, err := json.MarshalIndent(answers, "", " ")
	must(err)
	fmt.Println(string(text))
}

// withoutWords drops the descriptions of Kubernetes' own types, which no file of ours repeats.
func withoutWords(schema *apiextensionsv1.JSONSchemaProps) {
	none := 0
	for name, property := range schema.Properties {
		if name == "apiVersion" || name == "kind" || name == "conditions" || strings.HasPrefix(name, "builtIn") {
			crd.TruncateDescription(&property, none)
		} else {
			withoutWords(&property)
		}
		schema.Properties[name] = property
	}
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
