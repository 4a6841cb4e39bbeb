// Prints what upstream's own libraries answer, as JSON, for the tests of packages/apimachinery.
//
//	go run . <table> > ../../../packages/apimachinery/src/<folder>/testdata/<table>.json
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"sort"
	"strings"
)

// tables maps the name of a table to the function that makes it.
var tables = map[string]func() any{}

func main() {
	if len(os.Args) != 2 || tables[os.Args[1]] == nil {
		names := make([]string, 0, len(tables))
		for name := range tables {
			names = append(names, name)
		}
		sort.Strings(names)
		fmt.Fprintln(os.Stderr, "tables:", names)
		os.Exit(2)
	}
	made := tables[os.Args[1]]()
	if text, ok := made.(string); ok {
		fmt.Print(text)
		return
	}
	printRows(made)
}

// printRows writes one row per line, so that a change of upstream shows as a short difference.
func printRows(rows any) {
	all, err := json.Marshal(rows)
	if err != nil {
		panic(err)
	}
	var list []json.RawMessage
	if err := json.Unmarshal(all, &list); err != nil {
		panic(err)
	}
	lines := make([]string, len(list))
	for i, row := range list {
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

// answer is what a function returned: a value or the text of its error.
func answer(value any, err error) map[string]any {
	if err != nil {
		return map[string]any{"error": err.Error()}
	}
	return map[string]any{"value": value}
}

// sorted returns the names in order.
func sorted(names []string) []string {
	sort.Strings(names)
	return names
}
