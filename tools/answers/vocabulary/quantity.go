package main

import (
	"math/rand"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
)

func init() {
	tables["quantities"] = quantities
	tables["quantity-sums"] = quantitySums
}

func quantityTexts() []string {
	texts := strings.Fields(`0 00 0.0 0m 0Ki 0e3 + - . Ki m E e e5 1 5 +5 -5 05 +05 -0 10 100 1000 1500 10000 123456 1000000 1.5 1.50 1.500 0.5 .5 5. -.5 +.5 0.500 0.25 1.005 100.5
		1n 1u 1m 100m 250m 1000m 1500m 999m 1k 1.5k 1.500k 1M 1G 1T 1P 1E 10E 100E 1000E 1000k 1000M 1e3 1E3 1e+3 1e-3 1.5e3 15e2 1e0 12e6 1e21 1e-9 1e-10 1e-12 5e-10 1.1e-9 100e-11 1e18 1e19 9e18 1e27 1e4294967299 1e99999999999999999999 1e2147483647 1e5.3 1ee5 1E+ 1e-
		1Ki 8Ki 1024Ki 1023Ki 128Mi 512Mi 1024Mi 1.5Gi 1Gi 0.5Gi 0.5Ki 0.1Ki 0.001Ki 1.1Ki 1Ti 1Pi 1Ei 7Ei 8Ei 1024Ei 100000Ti 0.0001Mi 12345Mi 1234567890Mi 99999999999Ki 999999999999Ki 3Pi 1024Pi -1Ki -1.5Gi -0.5Ki +1Ki 01Ki 1.0Ki 1.Ki .5Ki 1.0000000001Ki 1.00000000001Gi 1k 1K 1ki 1kI 1KI 1i 1mi
		9223372036854775807 9223372036854775808 -9223372036854775808 99999999999999999999 123456789012345678 1234567890123456789 123456789012345678901234567890 0.1234567891 0.123456789 0.000000001 0.0000000001 -0.0000000001 1.0000000000000000001 123456789.123456789 1234567890.1234567891 1234567890123456789.5 1234567890123456789. 9007199254740993 9007199254740993m 9007199254740993k 9223372036854775807m 9223372036854775807E
		1_000 1,000 1x 1mm 1Mm 1.5.5 --1 +-1 1- 1+ 0x10 NaN Inf ١ 1\u00a0 1\n abc a1 1e 1E5 1E5k 12e6Ki 1Gib 1GB 64Gi 100Mi 2k 500u 1500u 1000000u 1000000n 1234n 0.1m 0.0001m 0.1u 0.1n 1.9999m`)
	texts = append(texts, "", " 1", "1 ", "1 Ki")
	random := rand.New(rand.NewSource(36))
	suffixes := []string{"", "n", "u", "m", "k", "M", "G", "T", "P", "E", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei", "e3", "e-3", "E2", "e7", "e-11"}
	for range 400 {
		text := ""
		if random.Intn(5) == 0 {
			text = "-"
		}
		digits := 1 + random.Intn(20)
		for range digits {
			text += strconv.Itoa(random.Intn(10) * random.Intn(2))
		}
		if random.Intn(3) == 0 {
			text += "."
			for range random.Intn(12) {
				text += strconv.Itoa(random.Intn(10) * random.Intn(2))
			}
		}
		texts = append(texts, text+suffixes[random.Intn(len(suffixes))])
	}
	return texts
}

func quantities() any {
	rows := []any{}
	for _, text := range quantityTexts() {
		row := map[string]any{"text": text}
		q, err := resource.ParseQuantity(text)
		if err != nil {
			row["error"] = err.Error()
		} else {
			row["string"] = q.String()
			row["format"] = q.Format
			negated := q.DeepCopy()
			negated.Neg()
			row["negated"] = negated.String()
		}
		rows = append(rows, row)
	}
	return rows
}

func quantitySums() any {
	texts := strings.Fields("0 0Ki 1 -1 1m 999m 1.5 1k 1Ki 1.5Gi 512Mi 1023 1e3 2e-3 1n 9223372036854775807 -9223372036854775808 1E 9E 7Ei 123456789012345678901234567890 0.123456789 1500u -3Ki 100M")
	rows := []any{}
	for _, a := range texts {
		for _, b := range texts {
			sum, difference := resource.MustParse(a), resource.MustParse(a)
			left, right := resource.MustParse(a), resource.MustParse(b)
			sum.Add(resource.MustParse(b))
			difference.Sub(resource.MustParse(b))
			rows = append(rows, []any{a, b, sum.String(), difference.String(), left.Cmp(right)})
		}
	}
	return rows
}
