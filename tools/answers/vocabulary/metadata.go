package main

import (
	"encoding/json"
	"strings"

	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/apis/meta/internalversion"
	listvalidation "k8s.io/apimachinery/pkg/apis/meta/internalversion/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metavalidation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

func init() {
	tables["addresses"] = addresses
	tables["domains"] = domains
	tables["object-meta"] = objectMetas
	tables["object-meta-updates"] = objectMetaUpdates
	tables["request-options"] = requestOptions
	tables["conditions"] = conditions
	tables["selector-fields"] = selectorFields
}

var somewhere = field.NewPath("f")

// texts are the messages with origins, in order.
func texts(errs field.ErrorList) []string {
	all := []string{}
	for _, err := range errs {
		text := err.Error()
		if err.Origin != "" {
			text += " @" + err.Origin
		}
		all = append(all, text)
	}
	return all
}

func addresses() any {
	values := strings.Fields(`10.0.0.1 0.0.0.0 255.255.255.255 256.0.0.1 1.2.3 1.2.3.4.5 01.02.03.04 010.0.0.1 1.2.3.04 1..2.3 .1.2.3 1.2.3. -1.2.3.4 +1.2.3.4 1.2.3.a 0x1.2.3.4 1.2.3.4567 00000000001.2.3.4
		:: ::1 1:: 1::2 2001:db8::1 2001:DB8::1 2001:db8:0:0:0:0:0:1 2001:0db8::0001 2001:00db8::1 1:2:3:4:5:6:7:8 1:2:3:4:5:6:7:: ::2:3:4:5:6:7:8 1:2:3:4:5:6:7:8:: 1:2:3:4:5:6:7:8:9 1:2:3 1:::2 1::2::3 : ::: :1 1: g:: 12345:: fe80::1%eth0 ::ffff:1.2.3.4 ::ffff:01.2.3.4 ::FFFF:1.2.3.4 ::1.2.3.4 1:2:3:4:5:6:1.2.3.4 1:2:3:4:5:1.2.3.4 1.2.3.4:: ::ffff:102:304 0:0:1:0:0:0:1:0 1:0:0:2:0:0:0:3 0:1:0:1:0:1:0:1 0:0:0:0:0:0:0:0 1:0:0:0:0:0:0:0 ::1:1.2.3.4:1 64:ff9b::1.2.3.4
		10.0.0.0/8 10.0.0.1/8 10.0.0.0/08 10.0.0.0/33 10.0.0.0/ 10.0.0.0/-1 10.0.0.0/+8 10.0.0.0/a 010.0.0.0/8 10.0.0.0/0 0.0.0.0/0 10.0.0.1/32 10.0.0.0/8/8 /8 2001:db8::/32 2001:db8::1/64 2001:DB8::/32 2001:db8:0::/48 ::/0 ::/128 ::/129 ::1/128 ::ffff:1.2.3.4/120 ::ffff:1.2.3.0/120 ::ffff:1.2.3.4/64 ::ffff:0.0.0.0/96 ::ffff:1.2.3.4/128 ::ffff:1.2.3.4/40 1.2.3.4/24 192.168.1.5/24 2001:db8::5/64 fe80::1%a/64`)
	values = append(values, "", " 1.2.3.4", "1.2.3.4 ", "localhost")
	rows := []any{}
	for _, value := range values {
		row := map[string]any{"value": value, "ip": texts(validation.IsValidIP(somewhere, value)), "legacyIp": texts(validation.IsValidIPForLegacyField(somewhere, value, true, nil)), "sloppyIp": texts(validation.IsValidIPForLegacyField(somewhere, value, false, nil)),
			"cidr": texts(validation.IsValidCIDR(somewhere, value)), "legacyCidr": texts(validation.IsValidCIDRForLegacyField(somewhere, value, true, nil)), "sloppyCidr": texts(validation.IsValidCIDRForLegacyField(somewhere, value, false, nil)), "interface": texts(validation.IsValidInterfaceAddress(somewhere, value))}
		if len(validation.IsValidIPForLegacyField(somewhere, value, false, nil)) == 0 {
			row["ipWarnings"] = validation.GetWarningsForIP(somewhere, value)
		}
		if len(validation.IsValidCIDRForLegacyField(somewhere, value, false, nil)) == 0 {
			row["cidrWarnings"] = validation.GetWarningsForCIDR(somewhere, value)
		}
		rows = append(rows, compact(row))
	}
	return rows
}

// compact leaves out what is empty: a missing list is an empty one.
func compact(row map[string]any) map[string]any {
	for key, value := range row {
		if list, ok := value.([]string); ok && len(list) == 0 {
			delete(row, key)
		}
	}
	return row
}

func domains() any {
	rows := []any{}
	for _, value := range []string{"", "a", "a.b", "a.b.c", "a.b.", ".", "a..b", "A.b.c", strings.Repeat("a", 64) + ".com", "acme.io/foo", "acme.io/", "/foo", "acme.io", "ACME.io/foo", "acme.io/foo bar", "acme.io/a/b?c", "acme.io/foo/bar", "acme.io/-", "a/b", "acme.io/%41"} {
		rows = append(rows, compact(map[string]any{"value": value, "name": texts(validation.IsFullyQualifiedName(somewhere, value)), "domain": texts(validation.IsFullyQualifiedDomainName(somewhere, value)), "path": texts(validation.IsDomainPrefixedPath(somewhere, value)), "key": texts(validation.IsDomainPrefixedKey(somewhere, value))}))
	}
	return rows
}

// Maps have at most one wrong member: upstream walks them in random order.
func metas() []string {
	big := strings.Repeat("x", 256*1024)
	return []string{
		`{"name":"a","namespace":"n"}`, `{}`, `{"generateName":"a-","name":"a-b","namespace":"n"}`, `{"generateName":"A-","name":"A-b","namespace":"N"}`, `{"name":"a.b","namespace":"a.b"}`, `{"name":"a","namespace":"n","generation":-1}`,
		`{"name":"a","namespace":"n","labels":{"a b":"c"}}`, `{"name":"a","namespace":"n","labels":{"a":"c d"}}`, `{"name":"a","namespace":"n","annotations":{"A/B":"c"}}`, `{"name":"a","namespace":"n","annotations":{"A b":"c"}}`, `{"name":"a","namespace":"n","annotations":{"a":"` + big + `"}}`,
		`{"name":"a","namespace":"n","ownerReferences":[{"apiVersion":"v1","kind":"Pod","name":"p","uid":"u"}]}`, `{"name":"a","namespace":"n","ownerReferences":[{"apiVersion":"","kind":"","name":"","uid":""}]}`, `{"name":"a","namespace":"n","ownerReferences":[{"apiVersion":"a/b/c","kind":"K","name":"p","uid":"u"},{"apiVersion":"v1","kind":"Event","name":"p","uid":"u"}]}`,
		`{"name":"a","namespace":"n","ownerReferences":[{"apiVersion":"v1","kind":"Pod","name":"p","uid":"u","controller":true},{"apiVersion":"v1","kind":"Pod","name":"q","uid":"v","controller":true,"blockOwnerDeletion":true},{"apiVersion":"v1","kind":"Pod","name":"r","uid":"w","controller":true}]}`,
		`{"name":"a","namespace":"n","finalizers":["orphan","foregroundDeletion","x y","example.com/z"]}`, `{"name":"a","namespace":"n","managedFields":[{"manager":"m","operation":"Update","fieldsType":"FieldsV1"},{"manager":"a\u0007é\u0001","operation":"x","fieldsType":"y","subresource":"` + strings.Repeat("s", 257) + `"},{"manager":"` + strings.Repeat("m", 129) + `"}]}`,
	}
}

func readMeta(text string) *metav1.ObjectMeta {
	meta := &metav1.ObjectMeta{}
	if err := json.Unmarshal([]byte(text), meta); err != nil {
		panic(err)
	}
	return meta
}

func objectMetas() any {
	rows := []any{}
	for _, text := range metas() {
		for _, namespaced := range []bool{true, false} {
			shown := json.RawMessage(text)
			rows = append(rows, map[string]any{"meta": shown, "namespaced": namespaced, "errors": texts(apivalidation.ValidateObjectMeta(readMeta(text), namespaced, apivalidation.NameIsDNSLabel, field.NewPath("metadata")))})
		}
	}
	// The long annotation would make the file large; the test makes it again.
	for _, row := range rows {
		r := row.(map[string]any)
		if len(r["meta"].(json.RawMessage)) > 100_000 {
			r["meta"] = "256 KiB of annotation"
		}
	}
	return rows
}

func objectMetaUpdates() any {
	base := `{"name":"a","namespace":"n","uid":"u","resourceVersion":"1","generation":2,"creationTimestamp":"2024-01-02T03:04:05Z"}`
	deleting := `{"name":"a","namespace":"n","uid":"u","resourceVersion":"1","generation":2,"creationTimestamp":"2024-01-02T03:04:05Z","deletionTimestamp":"2024-01-02T03:04:06Z","deletionGracePeriodSeconds":30,"finalizers":["a.io/b"]}`
	rows := []any{}
	for _, c := range [][2]string{
		{base, base}, {`{}`, base}, {base, `{}`}, {deleting, base}, {base, deleting}, {deleting, deleting},
		{strings.Replace(deleting, `["a.io/b"]`, `["z.io/b","c.io/b","a.io/b","c.io/b"]`, 1), deleting}, {strings.Replace(base, `"generation":2`, `"generation":1`, 1), base}, {strings.Replace(base, `"uid":"u"`, `"uid":"v\"<"`, 1), base},
		{strings.Replace(base, `"name":"a"`, `"name":"b","labels":{"a b":"c"},"finalizers":["x y"]`, 1), base},
	} {
		rows = append(rows, map[string]any{"next": json.RawMessage(c[0]), "old": json.RawMessage(c[1]), "errors": texts(apivalidation.ValidateObjectMetaUpdate(readMeta(c[0]), readMeta(c[1]), field.NewPath("metadata")))})
	}
	return rows
}

func requestOptions() any {
	rows := []any{}
	add := func(call, text string, errs field.ErrorList) {
		rows = append(rows, map[string]any{"call": call, "options": json.RawMessage(text), "errors": texts(errs)})
	}
	for _, text := range []string{`{}`, `{"dryRun":["All"]}`, `{"dryRun":["All","x"]}`, `{"dryRun":[""]}`, `{"fieldManager":"m\n"}`, `{"fieldValidation":"Strict"}`, `{"fieldValidation":"strict"}`, `{"fieldManager":"` + strings.Repeat("m", 129) + `","dryRun":["x"],"fieldValidation":"y","force":true}`, `{"fieldManager":"m","force":false}`} {
		create, update, patch := metav1.CreateOptions{}, metav1.UpdateOptions{}, metav1.PatchOptions{}
		_, _, _ = json.Unmarshal([]byte(text), &create), json.Unmarshal([]byte(text), &update), json.Unmarshal([]byte(text), &patch)
		add("write", text, metavalidation.ValidateCreateOptions(&create))
		add("write", text, metavalidation.ValidateUpdateOptions(&update))
		add("patch", text, metavalidation.ValidatePatchOptions(&patch, types.MergePatchType))
		add("apply", text, metavalidation.ValidatePatchOptions(&patch, types.ApplyYAMLPatchType))
	}
	for _, text := range []string{`{}`, `{"propagationPolicy":"Orphan"}`, `{"propagationPolicy":"orphan"}`, `{"propagationPolicy":"Orphan","orphanDependents":false}`, `{"dryRun":["x"]}`,
		`{"ignoreStoreReadErrorWithClusterBreakingPotential":true}`, `{"ignoreStoreReadErrorWithClusterBreakingPotential":true,"dryRun":["All"],"propagationPolicy":"Orphan","orphanDependents":true,"gracePeriodSeconds":0,"preconditions":{}}`} {
		options := metav1.DeleteOptions{}
		_ = json.Unmarshal([]byte(text), &options)
		add("delete", text, metavalidation.ValidateDeleteOptions(&options))
	}
	for _, text := range []string{`{}`, `{"resourceVersionMatch":"Exact"}`, `{"resourceVersionMatch":"Exact","resourceVersion":"0"}`, `{"resourceVersionMatch":"Exact","resourceVersion":"1","continue":"x"}`, `{"resourceVersionMatch":"x","resourceVersion":"1"}`, `{"sendInitialEvents":true}`,
		`{"watch":true}`, `{"watch":true,"sendInitialEvents":true}`, `{"watch":true,"sendInitialEvents":true,"resourceVersionMatch":"NotOlderThan"}`, `{"watch":true,"resourceVersionMatch":"NotOlderThan","continue":"c"}`, `{"watch":true,"resourceVersionMatch":"Exact"}`, `{"watch":true,"sendInitialEvents":false,"resourceVersionMatch":"Exact"}`} {
		external := metav1.ListOptions{}
		_ = json.Unmarshal([]byte(text), &external)
		options := internalversion.ListOptions{Watch: external.Watch, ResourceVersion: external.ResourceVersion, ResourceVersionMatch: external.ResourceVersionMatch, Continue: external.Continue, SendInitialEvents: external.SendInitialEvents}
		add("list", text, listvalidation.ValidateListOptions(&options, true))
	}
	return rows
}

func conditions() any {
	rows := []any{}
	for _, text := range []string{
		`[{"type":"Ready","status":"True","lastTransitionTime":"2024-01-02T03:04:05Z","reason":"Good"}]`, `[{}]`, `[{"type":"a b","status":"true","observedGeneration":-1,"reason":"1bad","message":"m"}]`,
		`[{"type":"Ready","status":"True","lastTransitionTime":"2024-01-02T03:04:05Z","reason":"A,B:C_"},{"type":"Ready","status":"Unknown","lastTransitionTime":"2024-01-02T03:04:05Z","reason":"` + strings.Repeat("a", 1025) + `"}]`,
	} {
		list := []metav1.Condition{}
		_ = json.Unmarshal([]byte(text), &list)
		rows = append(rows, map[string]any{"conditions": json.RawMessage(text), "errors": texts(metavalidation.ValidateConditions(list, somewhere))})
	}
	return rows
}

func selectorFields() any {
	rows := []any{}
	for _, text := range []string{`null`, `{}`, `{"matchLabels":{"a b":"c"}}`, `{"matchLabels":{"a":"c d"}}`, `{"matchExpressions":[{"key":"a","operator":"In"},{"key":"a","operator":"Exists","values":["x"]},{"key":"","operator":"in","values":["x y"]},{"key":"a","operator":"NotIn","values":["ok","-"]}]}`} {
		var selector *metav1.LabelSelector
		_ = json.Unmarshal([]byte(text), &selector)
		row := map[string]any{"selector": json.RawMessage(text), "strict": texts(metavalidation.ValidateLabelSelector(selector, metavalidation.LabelSelectorValidationOptions{}, somewhere)),
			"lenient": texts(metavalidation.ValidateLabelSelector(selector, metavalidation.LabelSelectorValidationOptions{AllowInvalidLabelValueInSelector: true, AllowUnknownOperatorInRequirement: true}, somewhere))}
		rows = append(rows, row)
	}
	return rows
}
