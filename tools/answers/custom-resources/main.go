// Asks upstream's libraries about custom resources: how they validate definitions and objects, how they print and convert
// objects, which conditions their controllers set, and what they publish as OpenAPI. Reads a file of cases, fills in the
// answers and writes it back:
//
//	go run . <definitions|objects|tables|conversions|conditions|openapi> <file>
//
// Definitions and conditions are in packages/kinds/src/apiextensions/custom-resource-definition/testdata, objects, tables and
// conversions in packages/kinds/src/custom-resources/testdata, openapi is packages/apiserver/testdata/documents/custom-schemas.json.
package main

import (
	"bytes"
	"encoding/json"
	"os"
	"sort"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	kjson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

var modes = map[string]func(json.RawMessage) interface{}{
	"definitions": answerDefinition,
	"objects":     answerObject,
	"tables":      answerTable,
	"conversions": answerConversion,
	"conditions":  answerConditions,
	"openapi":     answerOpenAPI,
}

func main() {
	answer, path := modes[os.Args[1]], os.Args[2]
	text, err := os.ReadFile(path)
	check(err)
	var cases []json.RawMessage
	check(json.Unmarshal(text, &cases))
	var out bytes.Buffer
	out.WriteString("[\n")
	for i, c := range cases {
		out.Write(withAnswer(c, answer(c)))
		if i < len(cases)-1 {
			out.WriteByte(',')
		}
		out.WriteByte('\n')
	}
	out.WriteString("]\n")
	check(os.WriteFile(path, out.Bytes(), 0o644))
}

// withAnswer keeps the order of the case's members and puts the answer last.
func withAnswer(c json.RawMessage, answer interface{}) []byte {
	decoder := json.NewDecoder(bytes.NewReader(c))
	_, err := decoder.Token()
	check(err)
	var out bytes.Buffer
	out.WriteByte('{')
	for decoder.More() {
		name, err := decoder.Token()
		check(err)
		var value json.RawMessage
		check(decoder.Decode(&value))
		if name == "answer" {
			continue
		}
		out.Write(encode(name))
		out.WriteByte(':')
		check(json.Compact(&out, value))
		out.WriteByte(',')
	}
	out.WriteString(`"answer":`)
	out.Write(encode(answer))
	out.WriteByte('}')
	return out.Bytes()
}

func encode(value interface{}) []byte {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	check(encoder.Encode(value))
	return bytes.TrimRight(out.Bytes(), "\n")
}

func definitionOf(text json.RawMessage) *apiextensionsv1.CustomResourceDefinition {
	out := &apiextensionsv1.CustomResourceDefinition{}
	check(kjson.Unmarshal(text, out))
	apiextensionsv1.SetObjectDefaults_CustomResourceDefinition(out)
	return out
}

func texts(errs field.ErrorList) []string {
	out := []string{}
	for _, err := range errs {
		out = append(out, err.Error())
	}
	sort.Strings(out)
	return out
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
