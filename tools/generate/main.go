// Command generate reads the published Go modules of Kubernetes and prints what packages/api/src/gen holds, as one JSON
// object from file name to content. It writes no file itself: run.mjs does, or compares.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
)

func main() {
	modules := flag.String("modules", "", "JSON object from module path to its directory")
	minor := flag.Int("minor", 0, "the minor release whose feature gates are written")
	flag.Parse()
	if err := run(*modules, *minor); err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

func run(modules string, minor int) error {
	var directories map[string]string
	if err := json.Unmarshal([]byte(modules), &directories); err != nil {
		return fmt.Errorf("-modules: %w", err)
	}
	source, err := loadSource(directories)
	if err != nil {
		return err
	}
	source.minor = minor
	files := map[string]string{}
	for _, write := range []func(*Source, map[string]string) error{writeTables, writeTypes, writeResources, writeResourceTypes, writeGroups, writeGates} {
		if err := write(source, files); err != nil {
			return err
		}
	}
	return json.NewEncoder(os.Stdout).Encode(files)
}
