package main

import (
	"context"
	"encoding/json"
	"strconv"

	resource "k8s.io/api/resource/v1"
	apiservercel "k8s.io/apiserver/pkg/cel"
	"k8s.io/apiserver/pkg/cel/environment"
	dracel "k8s.io/dynamic-resource-allocation/cel"
)

// deviceQuestion is the expression of a device selector and the device it is asked about.
type deviceQuestion struct {
	Expression string          `json:"expression"`
	Device     json.RawMessage `json:"device"`
	// Neither a new expression nor features by default.
	IsNew              bool `json:"isNew,omitempty"`
	ConsumableCapacity bool `json:"consumableCapacity,omitempty"`
	ListAttributes     bool `json:"listAttributes,omitempty"`
}

type deviceAnswer struct {
	deviceQuestion
	// "invalid" or "internal", and what is wrong.
	Invalid  string  `json:"invalid,omitempty"`
	Internal string  `json:"internal,omitempty"`
	MaxCost  string  `json:"maxCost,omitempty"`
	Error    string  `json:"error,omitempty"`
	Matches  bool    `json:"matches,omitempty"`
	Cost     *uint64 `json:"cost,omitempty"`
}

// What expressions are asked about, as JSON of the API: driver, and what a ResourceSlice has.
var (
	none = json.RawMessage(`{}`)
	gpu  = json.RawMessage(`{"driver":"gpu.example.com","allowMultipleAllocations":true,
		"attributes":{"model":{"string":"A100"},"cores":{"int":64},"healthy":{"bool":true},"firmware":{"version":"1.2.3"},"other.example.com/slot":{"int":7}},
		"capacity":{"memory":{"value":"40Gi"},"other.example.com/lanes":{"value":"16"}}}`)
	nic        = json.RawMessage(`{"driver":"nic.example.com","attributes":{"numa":{"int":1},"name":{"string":"eth0"}},"capacity":{"bandwidth":{"value":"100G"}}}`)
	lists      = json.RawMessage(`{"driver":"gpu.example.com","attributes":{"names":{"strings":["a","b"]},"sizes":{"ints":[1,2,3]},"flags":{"bools":[true,false]},"versions":{"versions":["1.0.0","2.1.0"]}}}`)
	badVersion = json.RawMessage(`{"driver":"gpu.example.com","attributes":{"firmware":{"version":"v1"}}}`)
)

var deviceExpressions = []string{
	`true`, `false`, `1`, `"a"`, `?!`, `device`, `device.nope == 1`, `device.driver`, `[1].all(x, x > 0)`, `dyn(1)`, `null`, `1 / 0 == 1`,
	`device.driver == "gpu.example.com"`, `device.driver.startsWith("gpu")`, `device.driver.matches("^[a-z]+\\.example\\.com$")`, `device.driver.size() < 20`,
	`device.allowMultipleAllocations`, `device.allowMultipleAllocations == false`, `has(device.driver)`, `has(device.allowMultipleAllocations)`,
	`device.attributes["gpu.example.com"].model == "A100"`, `device.attributes["gpu.example.com"].cores > 32`, `device.attributes["gpu.example.com"]["cores"] in [64, 128]`,
	`device.attributes["gpu.example.com"].healthy`, `device.attributes["gpu.example.com"].cores`, `device.attributes["gpu.example.com"].model`, `device.attributes["gpu.example.com"].firmware`,
	`device.attributes["gpu.example.com"].firmware.isGreaterThan(semver("1.0.0"))`, `device.attributes["gpu.example.com"].firmware.compareTo(semver("v1.2", true)) > 0`,
	`device.attributes["gpu.example.com"].firmware.major() == 1`, `device.attributes["gpu.example.com"].firmware == semver("1.2.3")`,
	`device.attributes["other.example.com"].slot == 7`, `device.attributes["nowhere"].x`, `device.attributes["nowhere"] == {}`, `"nowhere" in device.attributes`,
	`"gpu.example.com" in device.attributes`, `"model" in device.attributes["gpu.example.com"]`, `has(device.attributes["gpu.example.com"].model)`, `has(device.attributes["gpu.example.com"].nope)`,
	`has(device.attributes.nowhere)`, `device.attributes[?"nowhere"].hasValue()`, `device.attributes["gpu.example.com"][?"nope"].orValue(1) == 1`, `device.attributes["gpu.example.com"].?model.orValue("") == "A100"`,
	`device.attributes.size() == 2`, `device.attributes.exists(d, d.endsWith("example.com"))`, `device.attributes.all(d, device.attributes[d].size() > 0)`,
	`device.attributes["gpu.example.com"].exists_one(k, k == "model")`, `device.attributes.exists_one(d, v, v.size() == 1)`, `device.attributes["gpu.example.com"].all(k, v, k != "")`,
	`cel.bind(gpu, device.attributes["gpu.example.com"], gpu.healthy && gpu.cores > 1)`, `cel.bind(x, 1, x > 0)`, `cel.bind(a, device.attributes, cel.bind(b, a["gpu.example.com"], b.healthy))`,
	`device.capacity["gpu.example.com"].memory.isGreaterThan(quantity("10Gi"))`, `device.capacity["gpu.example.com"].memory == quantity("40Gi")`,
	`device.capacity["gpu.example.com"]["memory"].compareTo(quantity("1")) > 0`, `device.capacity["gpu.example.com"].memory.isInteger()`, `device.capacity["nowhere"].x.isInteger()`,
	`device.capacity["other.example.com"].lanes.asInteger() == 16`, `device.capacity.size() > 0`, `device.capacity["nic.example.com"].bandwidth.sub(quantity("1G")).isGreaterThan(quantity("98G"))`,
	`"memory" in device.capacity["gpu.example.com"]`, `device.capacity.all(d, device.capacity[d].all(k, device.capacity[d][k].isGreaterThan(quantity("0"))))`,
	`device.attributes["nic.example.com"].numa == 1 && device.attributes["nic.example.com"].name == "eth0"`, `device.attributes["nic.example.com"].name.split("h").size() == 2`,
	`device.attributes["gpu.example.com"].model.matches("A[0-9]+")`, `device.attributes["gpu.example.com"].model.lowerAscii() == "a100"`, `device.attributes["gpu.example.com"].model + "x" == "A100x"`,
	`device.attributes["gpu.example.com"].names.includes("a")`, `device.attributes["gpu.example.com"].sizes.includes(4)`, `device.attributes["gpu.example.com"].model.includes("A100")`,
	`"a" in device.attributes["gpu.example.com"].names`, `device.attributes["gpu.example.com"].sizes.all(x, x > 0)`, `device.attributes["gpu.example.com"].sizes.size() == 3`,
	`device.attributes["gpu.example.com"].versions.exists(v, v.isGreaterThan(semver("2.0.0")))`, `device.attributes["gpu.example.com"].flags[0]`, `device.attributes["gpu.example.com"].sizes.sum() == 6`,
	`device.attributes["gpu.example.com"].versions`, `[1, 2].includes(1)`, `dyn([1, 2]).includes(3)`, `[` + repeated("1, ", 60) + `1].includes(2)`,
	`[1, 2, 3, 4, 5, 6, 7, 8].all(a, [1, 2, 3, 4, 5, 6, 7, 8].all(b, [1, 2, 3, 4, 5, 6, 7, 8].all(c, [1, 2, 3, 4, 5, 6, 7, 8].all(d, [1, 2, 3, 4, 5, 6, 7, 8].all(e, [1, 2, 3, 4, 5, 6, 7, 8].all(f, [1, 2].all(g, "x".size() < 100)))))))`,
	`device.attributes.all(a, device.attributes.all(b, device.attributes.all(c, device.attributes.all(d, device.attributes.all(e, a + b + c + d + e != "")))))`,
	`ip("10.0.0.1").isLoopback()`, `url("https://a").getHost() == device.driver`, `device.driver.find("[a-z]+") == "gpu"`, `type(device.driver) == string`, `type(device.attributes) == map`,
}

func repeated(text string, count int) string {
	all := ""
	for range count {
		all += text
	}
	return all
}

// askDevices asks every expression about every device that it has something to do with.
func askDevices() []any {
	rows := []any{}
	for _, expression := range deviceExpressions {
		for _, device := range []json.RawMessage{none, gpu, nic, lists, badVersion} {
			rows = append(rows, deviceQuestion{Expression: expression, Device: device, ConsumableCapacity: true}.answer())
		}
		rows = append(rows,
			deviceQuestion{Expression: expression, Device: gpu, IsNew: true, ConsumableCapacity: true}.answer(),
			deviceQuestion{Expression: expression, Device: gpu, IsNew: true}.answer(),
			deviceQuestion{Expression: expression, Device: lists, IsNew: true, ConsumableCapacity: true, ListAttributes: true}.answer(),
			deviceQuestion{Expression: expression, Device: gpu, ConsumableCapacity: true, ListAttributes: true}.answer())
	}
	return rows
}

func (q deviceQuestion) answer() (result deviceAnswer) {
	result.deviceQuestion = q
	envType := environment.StoredExpressions
	if q.IsNew {
		envType = environment.NewExpressions
	}
	compiled := dracel.GetCompiler(dracel.Features{EnableConsumableCapacity: q.ConsumableCapacity, EnableListTypeAttributes: q.ListAttributes}).
		CompileCELExpression(q.Expression, dracel.Options{EnvType: &envType})
	if err := compiled.Error; err != nil {
		if err.Type == apiservercel.ErrorTypeInvalid {
			result.Invalid = err.Detail
		} else {
			result.Internal = err.Detail
		}
		return result
	}
	result.MaxCost = strconv.FormatUint(compiled.MaxCost, 10)
	var input struct {
		Driver string `json:"driver"`
		resource.Device
	}
	if err := json.Unmarshal(q.Device, &input); err != nil {
		panic(err)
	}
	matches, details, err := compiled.DeviceMatches(context.Background(), dracel.Device{
		Driver: input.Driver, AllowMultipleAllocations: input.AllowMultipleAllocations, Attributes: input.Attributes, Capacity: input.Capacity,
	})
	if details != nil {
		result.Cost = details.ActualCost()
	}
	if err != nil {
		result.Error = err.Error()
	}
	result.Matches = matches
	return result
}
