package main

import (
	"encoding/json"
	"fmt"
	"sort"

	"github.com/anishathalye/porcupine"
	"go.etcd.io/etcd/tests/v3/robustness/model"
	"go.etcd.io/etcd/tests/v3/robustness/validate"
)

// shown is how many operations before and behind the contradiction are printed.
const shown = 6

// explain prints the end of the longest order of operations that was found, and the first ones that have no place behind it.
func explain(result validate.LinearizationResult, operations []porcupine.Operation) {
	longest := []porcupine.Operation{}
	for _, partition := range result.Info.PartialLinearizationsOperations() {
		for _, order := range partition {
			if len(order) > len(longest) {
				longest = order
			}
		}
	}
	placed := map[[2]int64]bool{}
	for _, operation := range longest {
		placed[[2]int64{int64(operation.ClientId), operation.Call}] = true
	}
	without := []porcupine.Operation{}
	for _, operation := range operations {
		response := operation.Output.(model.MaybeEtcdResponse)
		if response.Error == "" && !placed[[2]int64{int64(operation.ClientId), operation.Call}] {
			without = append(without, operation)
		}
	}
	sort.Slice(without, func(a, b int) bool { return without[a].Return < without[b].Return })
	fmt.Printf("in order: %d operations, without a place: %d\n", len(longest), len(without))
	for _, operation := range longest[max(0, len(longest)-shown):] {
		printOperation("in order", operation)
	}
	for _, operation := range without[:min(shown, len(without))] {
		printOperation("without a place", operation)
	}
}

func printOperation(what string, operation porcupine.Operation) {
	request, _ := json.Marshal(operation.Input)
	response, _ := json.Marshal(operation.Output)
	fmt.Printf("%s: client %d, %d to %d: %s: %s\n", what, operation.ClientId, operation.Call, operation.Return, request, response)
}
