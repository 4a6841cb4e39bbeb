// Prints what cel-go and Kubernetes' CEL libraries answer, as JSON, for the tests of packages/cel.
//
//	go run . conformance | gzip -9n > ../../../packages/cel/src/conformance/testdata/conformance.json.gz
//	go run . draw | gzip -9n > ../../../packages/cel/src/conformance/testdata/upstream-answers.json.gz
//	go run . libraries | gzip -9n > ../../../packages/cel/src/kubernetes/testdata/library-answers.json.gz
//	go run . devices | gzip -9n > ../../../packages/cel/src/devices/testdata/device-answers.json.gz
//	go run . ask < questions.json > answers.json
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"
)

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "conformance, draw, libraries, devices, ask, or measure FILE")
		os.Exit(2)
	}
	switch os.Args[1] {
	case "conformance":
		printRows(conformance())
	case "draw":
		printRows(draw())
	case "libraries":
		printRows(libraries())
	case "devices":
		printRows(askDevices())
	case "ask":
		ask()
	case "measure":
		measure(os.Args[2])
	default:
		fmt.Fprintln(os.Stderr, "unknown table", os.Args[1])
		os.Exit(2)
	}
}

// ask reads a list of questions and prints one answer for each.
func ask() {
	var questions []question
	if err := json.NewDecoder(bufio.NewReader(os.Stdin)).Decode(&questions); err != nil {
		panic(err)
	}
	answers := make([]any, len(questions))
	for i, q := range questions {
		answers[i] = q.answer()
	}
	printRows(answers)
}

// printRows writes one row per line, so that a change of upstream shows as a short difference.
func printRows(rows []any) {
	lines := make([]string, len(rows))
	for i, row := range rows {
		var plain bytes.Buffer
		encoder := json.NewEncoder(&plain)
		encoder.SetEscapeHTML(false)
		if err := encoder.Encode(row); err != nil {
			panic(err)
		}
		lines[i] = strings.TrimSpace(plain.String())
	}
	fmt.Printf("[\n%s\n]\n", strings.Join(lines, ",\n"))
}
