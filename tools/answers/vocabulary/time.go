package main

import (
	"encoding/json"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/duration"
)

func init() {
	tables["times"] = times
	tables["durations"] = durations
	tables["human-durations"] = humanDurations
}

func times() any {
	values := strings.Fields(`2024-01-02T03:04:05Z 2024-02-29T00:00:00Z 2023-02-29T00:00:00Z 2024-02-30T00:00:00Z 2024-00-01T00:00:00Z 2024-13-01T00:00:00Z 2024-01-00T00:00:00Z 2024-01-32T00:00:00Z 2024-04-31T00:00:00Z 1900-02-29T00:00:00Z 2000-02-29T00:00:00Z 0000-01-01T00:00:00Z 0001-01-01T00:00:00Z 0004-02-29T00:00:00Z 9999-12-31T23:59:59Z 99999-12-31T23:59:59Z
		2024-01-02T24:00:00Z 2024-01-02T23:60:00Z 2024-01-02T23:59:60Z 2024-01-02T3:04:05Z 2024-1-02T03:04:05Z 2024-01-2T03:04:05Z 2024-01-02T03:4:05Z 2024-01-02T03:04:5Z 2024-01-02t03:04:05Z 2024-01-02T03:04:05z 2024-01-02T03:04:05 2024-01-02T03:04Z 2024-01-02 2024
		2024-01-02T03:04:05.5Z 2024-01-02T03:04:05,5Z 2024-01-02T03:04:05.Z 2024-01-02T03:04:05.123456Z 2024-01-02T03:04:05.123456789Z 2024-01-02T03:04:05.1234567891Z 2024-01-02T03:04:05.12345Z 2024-01-02T03:04:05.1234567Z 2024-01-02T03:04:05,123456Z 2024-01-02T03:04:05.-12345Z 2024-01-02T03:04:05.+12345Z 2024-01-02T03:04:05.12345aZ 2024-01-02T03:04:05.000000Z
		2024-01-02T03:04:05+01:00 2024-01-02T03:04:05-01:30 2024-01-02T03:04:05+24:00 2024-01-02T03:04:05+25:00 2024-01-02T03:04:05+00:60 2024-01-02T03:04:05+00:61 2024-01-02T03:04:05+0100 2024-01-02T03:04:05+01 2024-01-02T03:04:05x01:00 2024-01-02T03:04:05ZZ 2024-01-02T03:04:05Zfoo 2024-01-02T03:04:05.123456+02:00 0001-01-01T00:00:00+01:00 2024-01-02T03:04:05+a1:00 2024-12-31T23:59:59-12:00
		-2024-01-02T03:04:05Z a024-01-02T03:04:05Z 2a24-01-02T03:04:05Z 2024/01/02T03:04:05Z now é "quoted" back\slash 0001-01-01T00:00:00.000000Z 2024-01-02T03:04:05.123456-24:00`)
	values = append(values, "", " 2024-01-02T03:04:05Z", "2024-01-02T03:04:05Z ", "2024-01-02 03:04:05Z", "\u0001")
	rows := []any{}
	for _, value := range values {
		text, _ := json.Marshal(value)
		row := map[string]any{"text": value}
		var t metav1.Time
		if err := json.Unmarshal(text, &t); err != nil {
			row["error"] = err.Error()
		} else {
			out, _ := json.Marshal(t)
			row["time"] = json.RawMessage(out)
		}
		var micro metav1.MicroTime
		if err := json.Unmarshal(text, &micro); err != nil {
			row["microError"] = err.Error()
		} else {
			out, _ := json.Marshal(micro)
			row["micro"] = json.RawMessage(out)
		}
		rows = append(rows, row)
	}
	return rows
}

func durations() any {
	values := strings.Fields(`0 +0 -0 0s 1 1s 1m 1h 1ms 1us 1µs 1μs 1ns 1.5s 1.5h 1h30m 1h30m5.5s -1h -1.5h +5s .5s 1.s .s s - + . 1.1.1s 1d 1w 1S 1sec 100ms 1500ms 60s 90m 24h 8760h 2562047h47m16.854775807s 2562047h47m16.854775808s -2562047h47m16.854775808s 9223372036854775807ns 9223372036854775808ns -9223372036854775808ns 9223372036854775809ns 99999999999999999999s 0.000000001s 0.0000000001s 0.123456789012345678901234567890h 1h1h 1m1h 3.3h 1.0000001h 0.1s 0.3333333333333333333h 1.1us 999ns 1001ns 1000001ns 1e3s 1_000s 00001s 000000000000000000000000001s 1s2 é 1é "s" 5"m 1s, 39h9m14.425s`)
	values = append(values, "", " 1s", "1s ", "1 s")
	rows := []any{}
	for _, value := range values {
		row := map[string]any{"text": value}
		if d, err := time.ParseDuration(value); err != nil {
			row["error"] = err.Error()
		} else {
			row["string"] = d.String()
		}
		rows = append(rows, row)
	}
	return rows
}

func humanDurations() any {
	rows := []any{}
	for _, text := range strings.Fields("-3s -2s -1.5s -1s -0.5s 0s 0.9s 1s 59s 60s 119s 119.9s 120s 121s 9m59s 10m 179m 180m 181m 7h59m 8h 47h59m 48h 49h 191h 192h 193h 8759h 8760h 17519h 17520h 17544h 70079h 70080h 90000h 100000h") {
		d, err := time.ParseDuration(text)
		if err != nil {
			panic(err)
		}
		rows = append(rows, []any{d.Seconds() * 1000, duration.HumanDuration(d), duration.ShortHumanDuration(d)})
	}
	return rows
}
