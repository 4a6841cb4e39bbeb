package main

import (
	"errors"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/resourceversion"
	"k8s.io/apiserver/pkg/storage"
)

func init() {
	tables["int-or-strings"] = intOrStrings
	tables["resource-versions"] = resourceVersions
}

func intOrStrings() any {
	rows := []any{}
	for _, text := range append(strings.Fields("0 1 -1 +5 007 2147483647 2147483648 -2147483648 99999999999999999999 http 80a 50% 33% 100% 150% -10% 0% 1.5% % %% 5%% a% 99999999999999999999% +5% 1e3"), "", " 5", "5 %") {
		value := intstr.Parse(text)
		scaled := []any{}
		for _, total := range []int{0, 1, 3, 10, 7} {
			up, upErr := intstr.GetScaledValueFromIntOrPercent(&value, total, true)
			down, downErr := intstr.GetScaledValueFromIntOrPercent(&value, total, false)
			scaled = append(scaled, map[string]any{"total": total, "up": answer(up, upErr), "down": answer(down, downErr)})
		}
		asText := intstr.FromString(text)
		number := asText.IntValue()
		// strconv saturates; a number that large is no count of anything.
		if number > 1<<53 {
			continue
		}
		rows = append(rows, map[string]any{"text": text, "parsed": value, "value": number, "scaled": scaled})
	}
	return rows
}

func resourceVersions() any {
	texts := append(strings.Fields("0 1 2 9 10 007 -1 +1 1.5 abc 9007199254740991 9007199254740993 18446744073709551615 18446744073709551616 99999999999999999999999"), "", " 1")
	rows := []any{}
	for _, text := range texts {
		compared := map[string]any{}
		for _, other := range texts {
			order, err := resourceversion.CompareResourceVersion(text, other)
			compared[other] = answer(order, err)
		}
		revision, err := storage.APIObjectVersioner{}.ParseResourceVersion(text)
		var invalid storage.InvalidError
		if errors.As(err, &invalid) {
			err = invalid.Errs[0]
		}
		rows = append(rows, map[string]any{"text": text, "parsed": answer(strconv.FormatUint(revision, 10), err), "compared": compared})
	}
	return rows
}
