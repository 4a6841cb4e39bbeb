// Asks upstream's libraries for the hashes of pod templates and of their revisions, and for the layout of the Go types that those hashes depend on:
// the hash is taken of a text with the names of Go's types and fields in it.
//
//	go run . layout > ../../../packages/controllers/src/gen/pod-template-layout.ts
//	go run . hashes < ../../../packages/controllers/src/pod-template-hash/testdata/templates.json > ../../../packages/controllers/src/pod-template-hash/testdata/hashes.json
package main

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"os"
	"reflect"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/rand"
	"k8s.io/utils/dump"
)

func main() {
	if len(os.Args) == 2 && os.Args[1] == "layout" {
		printLayout()
		return
	}
	var rows []struct {
		Name           string                 `json:"name"`
		Template       corev1.PodTemplateSpec `json:"template"`
		CollisionCount *int32                 `json:"collisionCount"`
	}
	check(json.NewDecoder(os.Stdin).Decode(&rows))
	answers := map[string]map[string]string{}
	for _, row := range rows {
		hasher := fnv.New32a()
		_, err := hasher.Write([]byte(dump.ForHash(row.Template)))
		check(err)
		if row.CollisionCount != nil {
			bytes := make([]byte, 8)
			binary.LittleEndian.PutUint32(bytes, uint32(*row.CollisionCount))
			_, err := hasher.Write(bytes)
			check(err)
		}
		answers[row.Name] = map[string]string{
			"template": rand.SafeEncodeString(fmt.Sprint(hasher.Sum32())),
			"revision": revisionHash(row.Template, row.CollisionCount),
		}
	}
	print, err := json.MarshalIndent(answers, "", " ")
	check(err)
	fmt.Println(string(print))
}

// The hash of the patch that a ControllerRevision of a StatefulSet holds.
func revisionHash(template corev1.PodTemplateSpec, collisionCount *int32) string {
	encoded, err := json.Marshal(template)
	check(err)
	var raw map[string]any
	check(json.Unmarshal(encoded, &raw))
	raw["$patch"] = "replace"
	patch, err := json.Marshal(map[string]any{"spec": map[string]any{"template": raw}})
	check(err)
	hasher := fnv.New32()
	_, err = hasher.Write(patch)
	check(err)
	if collisionCount != nil {
		_, err = hasher.Write([]byte(fmt.Sprint(*collisionCount)))
		check(err)
	}
	return rand.SafeEncodeString(fmt.Sprint(hasher.Sum32()))
}

// One line per Go type: its printed name, its kind, and what it is made of as indexes of other lines.
func printLayout() {
	index := map[reflect.Type]int{}
	lines := []string{}
	var add func(t reflect.Type) int
	add = func(t reflect.Type) int {
		if known, ok := index[t]; ok {
			return known
		}
		at := len(lines)
		index[t] = at
		lines = append(lines, "")
		name := t.String()
		switch {
		case name == "resource.Quantity":
			lines[at] = fmt.Sprintf("[%q, \"quantity\"]", name)
		case t.PkgPath() == "k8s.io/apimachinery/pkg/apis/meta/v1" && t.Name() == "Time":
			lines[at] = fmt.Sprintf("[%q, \"time\"]", name)
		case name == "intstr.IntOrString":
			lines[at] = fmt.Sprintf("[%q, \"int-or-string\"]", name)
		case t.Kind() == reflect.Struct:
			fields := []string{}
			for i := range t.NumField() {
				field := t.Field(i)
				jsonName, options, _ := strings.Cut(field.Tag.Get("json"), ",")
				if strings.Contains(options, "inline") {
					jsonName = ""
				}
				fields = append(fields, fmt.Sprintf("[%q, %q, %d]", field.Name, jsonName, add(field.Type)))
			}
			lines[at] = fmt.Sprintf("[%q, \"struct\", [%s]]", name, strings.Join(fields, ", "))
		case t.Kind() == reflect.Pointer:
			lines[at] = fmt.Sprintf("[%q, \"pointer\", %d]", name, add(t.Elem()))
		case t.Kind() == reflect.Slice:
			lines[at] = fmt.Sprintf("[%q, \"list\", %d]", name, add(t.Elem()))
		case t.Kind() == reflect.Map:
			lines[at] = fmt.Sprintf("[%q, \"map\", %d]", name, add(t.Elem()))
		case t.Kind() == reflect.String:
			lines[at] = fmt.Sprintf("[%q, \"string\"]", name)
		case t.Kind() == reflect.Bool:
			lines[at] = fmt.Sprintf("[%q, \"bool\"]", name)
		default:
			lines[at] = fmt.Sprintf("[%q, \"integer\"]", name)
		}
		return at
	}
	add(reflect.TypeFor[corev1.PodTemplateSpec]())
	fmt.Println("/** Go's types of a pod template, each as its name, its kind and what it is made of; types are referred to by their place. An empty JSON name: an embedded struct. */")
	fmt.Println("export const podTemplateLayout: readonly GoType[] = [")
	for _, line := range lines {
		fmt.Printf("  %s,\n", line)
	}
	fmt.Println("];")
	fmt.Println()
	fmt.Println("export type GoType =")
	fmt.Println("  | readonly [name: string, kind: \"struct\", fields: readonly (readonly [name: string, json: string, type: number])[]]")
	fmt.Println("  | readonly [name: string, kind: \"pointer\" | \"list\" | \"map\", of: number]")
	fmt.Println("  | readonly [name: string, kind: \"string\" | \"bool\" | \"integer\" | \"quantity\" | \"time\" | \"int-or-string\"];")
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
