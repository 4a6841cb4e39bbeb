package main

import (
	"errors"
	"math"
	"strconv"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/storage"
)

func init() {
	tables["quoted"] = quoted
	tables["field-errors"] = fieldErrors
	tables["invalid"] = invalidStatuses
	tables["statuses"] = statuses
	tables["generic-responses"] = genericResponses
}

func quoted() any {
	rows := []any{}
	for _, text := range []string{
		"", "plain", `with "quotes"`, `back\slash`, "tab\tnew\nline\r", "\a\b\f\v\x00\x1f\x7f", "é", "日本", "\u00a0", "\u200b", "\u2028", "\ufeff", "\U0001F600", "\U0010FFFF", "\u00ad", "\u0301", "<>&", "'", "\u3000", "\ue000", "\u0378",
	} {
		rows = append(rows, map[string]any{"text": text, "quoted": strconv.Quote(text)})
	}
	return rows
}

type errorCase struct {
	name string
	err  *field.Error
	// The arguments, for the test to repeat the call.
	call []any
}

func errorCases() []errorCase {
	path := field.NewPath("spec", "a").Index(2).Child("b").Key("k.x")
	type inner struct {
		B string            `json:"b"`
		A []int             `json:"a,omitempty"`
		M map[string]string `json:"m,omitempty"`
	}
	cases := []errorCase{
		{"required", field.Required(path, ""), []any{"required", ""}},
		{"required with detail", field.Required(path, "must be set"), []any{"required", "must be set"}},
		{"forbidden", field.Forbidden(path, "no <way>"), []any{"forbidden", "no <way>"}},
		{"not found", field.NotFound(path, "x"), []any{"notFound", "x"}},
		{"duplicate", field.Duplicate(path, "x"), []any{"duplicate", "x"}},
		{"duplicate object", field.Duplicate(path, inner{B: "x", A: []int{1}}), []any{"duplicate", inner{B: "x", A: []int{1}}}},
		{"type invalid", field.TypeInvalid(path, "x", "expected map"), []any{"typeInvalid", "x", "expected map"}},
		{"internal", field.InternalError(path, errors.New("boom")), []any{"internalError", "boom"}},
		{"not supported", field.NotSupported(path, "x", []string{"b", "a", `q"`}), []any{"notSupported", "x", []string{"b", "a", `q"`}}},
		{"not supported, none", field.NotSupported(path, "x", []string{}), []any{"notSupported", "x", []string{}}},
		{"too short", field.TooShort(path, "x", 3), []any{"tooShort", "x", 3}},
		{"too short one", field.TooShort(path, "", 1), []any{"tooShort", "", 1}},
		{"too short unknown", field.TooShort(path, "", -1), []any{"tooShort", "", -1}},
	}
	for _, n := range []int{-1, 0, 1, 2} {
		cases = append(cases,
			errorCase{"too long", field.TooLong(path, "", n), []any{"tooLong", n}},
			errorCase{"too long characters", field.TooLongCharacters(path, "", n), []any{"tooLongCharacters", n}},
			errorCase{"too many", field.TooMany(path, 5, n), []any{"tooMany", 5, n}},
			errorCase{"too many unknown", field.TooMany(path, -1, n), []any{"tooMany", -1, n}},
			errorCase{"too few", field.TooFew(path, 0, n), []any{"tooFew", 0, n}},
		)
	}
	for _, value := range []any{
		"text", "a\"b", "", 1, int64(-5), 1.5, 1e21, 1e20, 1e-5, 1e-7, 0.0001, float64(100000), math.MaxInt32, true, false, nil,
		[]string{"a", "<b>"}, []string{}, map[string]string{"b": "1", "a": "2"}, inner{B: "x&y"}, inner{B: "\u2028", M: map[string]string{"k": "v"}}, []any{1, "a", nil, 1.5},
	} {
		cases = append(cases, errorCase{"invalid", field.Invalid(path, value, "must be good"), []any{"invalid", value, "must be good"}})
	}
	return cases
}

func fieldErrors() any {
	rows := []any{}
	for _, c := range errorCases() {
		rows = append(rows, map[string]any{"name": c.name, "call": c.call, "type": c.err.Type, "field": c.err.Field, "body": c.err.ErrorBody(), "text": c.err.Error()})
	}
	return rows
}

func invalidStatuses() any {
	a := field.NewPath("spec").Child("a")
	rows := []any{}
	for _, c := range []struct {
		group, kind, name string
		errs              field.ErrorList
		calls             []any
	}{
		{"", "Pod", "web", nil, []any{}},
		{"apps", "Deployment", "web", field.ErrorList{field.Required(a, "")}, []any{"required"}},
		{"apps", "Deployment", "", field.ErrorList{field.Required(a, ""), field.Invalid(a, -1, "low")}, []any{"required", "invalid"}},
		{"", "Pod", `q"`, field.ErrorList{field.Required(a, ""), field.Required(a, ""), field.Invalid(a, -1, "low")}, []any{"required", "required", "invalid"}},
		{"", "Pod", "x", field.ErrorList{field.Required(a, ""), field.Required(a, "")}, []any{"required", "required"}},
	} {
		rows = append(rows, map[string]any{"group": c.group, "kind": c.kind, "name": c.name, "errors": c.calls, "status": status(apierrors.NewInvalid(schema.GroupKind{Group: c.group, Kind: c.kind}, c.name, c.errs))})
	}
	return rows
}

func status(err error) metav1.Status {
	answer := err.(apierrors.APIStatus).Status()
	answer.Kind = "Status"
	answer.APIVersion = "v1"
	return answer
}

func statuses() any {
	pods := schema.GroupResource{Resource: "pods"}
	deployments := schema.GroupResource{Group: "apps", Resource: "deployments"}
	none := schema.GroupResource{}
	why := errors.New("some reason")
	rows := []any{}
	add := func(call string, err error, args ...any) {
		rows = append(rows, map[string]any{"call": call, "args": args, "status": status(err)})
	}
	for _, r := range []schema.GroupResource{pods, deployments, none} {
		arg := map[string]string{"group": r.Group, "resource": r.Resource}
		for _, name := range []string{"web", "", `q"`} {
			add("notFound", apierrors.NewNotFound(r, name), arg, name)
			add("alreadyExists", apierrors.NewAlreadyExists(r, name), arg, name)
			add("generateNameConflict", apierrors.NewGenerateNameConflict(r, name, 1), arg, name, 1)
			add("conflict", apierrors.NewConflict(r, name, why), arg, name, "some reason")
			add("forbidden", apierrors.NewForbidden(r, name, why), arg, name, "some reason")
		}
		add("methodNotSupported", apierrors.NewMethodNotSupported(r, "delete"), arg, "delete")
		add("serverTimeout", apierrors.NewServerTimeout(r, "list", 2), arg, "list", 2)
		add("serverTimeout", apierrors.NewServerTimeout(r, "list", 0), arg, "list", 0)
	}
	add("unauthorized", apierrors.NewUnauthorized(""), "")
	add("unauthorized", apierrors.NewUnauthorized("Unauthorized"), "Unauthorized")
	add("badRequest", apierrors.NewBadRequest("bad"), "bad")
	add("gone", apierrors.NewGone("away"), "away")
	add("resourceExpired", apierrors.NewResourceExpired("old"), "old")
	add("timeout", apierrors.NewTimeoutError("slow", 0), "slow", 0)
	add("timeout", apierrors.NewTimeoutError("slow", 3), "slow", 3)
	add("tooManyRequests", apierrors.NewTooManyRequests("wait", 4), "wait", 4)
	add("requestEntityTooLarge", apierrors.NewRequestEntityTooLargeError("limit is 3"), "limit is 3")
	add("internalError", apierrors.NewInternalError(why), "some reason")
	add("serviceUnavailable", apierrors.NewServiceUnavailable("down"), "down")
	add("tooLargeResourceVersion", storage.NewTooLargeResourceVersionError(10, 5, 1), 10, 5, 1)
	causes := []metav1.StatusCause{{Type: metav1.CauseTypeFieldManagerConflict, Message: "m", Field: ".f"}}
	add("applyConflict", apierrors.NewApplyConflict(causes, "Apply failed"), causes, "Apply failed")
	return rows
}

func genericResponses() any {
	rows := []any{}
	pods := schema.GroupResource{Resource: "pods"}
	for _, code := range []int{400, 401, 403, 404, 405, 406, 409, 410, 413, 415, 418, 422, 429, 500, 502, 503, 504} {
		for _, c := range []struct {
			verb, name, message string
			resource            schema.GroupResource
			retry               int
			unexpected          bool
		}{
			{"POST", "", "unknown", pods, 0, true},
			{"PUT", "web", `said "it"`, schema.GroupResource{Group: "apps", Resource: "deployments"}, 3, false},
			{"GET", "web", "", schema.GroupResource{}, 0, true},
		} {
			rows = append(rows, map[string]any{
				"response": map[string]any{"code": code, "verb": c.verb, "resource": map[string]string{"group": c.resource.Group, "resource": c.resource.Resource}, "name": c.name, "serverMessage": c.message, "retryAfterSeconds": c.retry, "unexpected": c.unexpected},
				"status":   status(apierrors.NewGenericServerResponse(code, c.verb, c.resource, c.name, c.message, c.retry, c.unexpected)),
			})
		}
	}
	return rows
}
