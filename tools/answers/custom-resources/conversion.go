package main

import (
	"encoding/json"
	"encoding/pem"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/conversion"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/util/webhook"
)

type conversionCase struct {
	ReviewVersions []string        `json:"reviewVersions"`
	To             string          `json:"to"`
	Objects        json.RawMessage `json:"objects"`
	// Whether the objects are a list; else there is one.
	List bool `json:"list"`
	// The webhook's answer, with $UID where the request's uid is to stand.
	Response json.RawMessage `json:"response"`
}

type conversionAnswer struct {
	Request   json.RawMessage `json:"request,omitempty"`
	Converted json.RawMessage `json:"converted,omitempty"`
	Error     string          `json:"error,omitempty"`
}

func answerConversion(text json.RawMessage) interface{} {
	var c conversionCase
	check(json.Unmarshal(text, &c))
	a := conversionAnswer{}
	uid := ""
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		check(err)
		var review struct {
			Request struct {
				UID string `json:"uid"`
			} `json:"request"`
		}
		check(json.Unmarshal(body, &review))
		uid = review.Request.UID
		a.Request = json.RawMessage(strings.ReplaceAll(string(body), uid, "$UID"))
		w.Header().Set("Content-Type", "application/json")
		_, err = io.WriteString(w, strings.ReplaceAll(string(c.Response), "$UID", uid))
		check(err)
	}))
	defer server.Close()
	factory, err := conversion.NewCRConverterFactory(webhook.NewDefaultServiceResolver(), func(r webhook.AuthenticationInfoResolver) webhook.AuthenticationInfoResolver { return r })
	check(err)
	ca := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	definition := &apiextensionsv1.CustomResourceDefinition{ObjectMeta: metav1.ObjectMeta{Name: "things.example.com"}}
	definition.Spec.Group = "example.com"
	definition.Spec.Versions = []apiextensionsv1.CustomResourceDefinitionVersion{{Name: "v1"}, {Name: "v2"}, {Name: "v3"}}
	definition.Spec.Conversion = &apiextensionsv1.CustomResourceConversion{
		Strategy: apiextensionsv1.WebhookConverter,
		Webhook: &apiextensionsv1.WebhookConversion{
			ClientConfig:             &apiextensionsv1.WebhookClientConfig{URL: &server.URL, CABundle: ca},
			ConversionReviewVersions: c.ReviewVersions,
		},
	}
	if c.Response == nil {
		definition.Spec.Conversion = &apiextensionsv1.CustomResourceConversion{Strategy: apiextensionsv1.NoneConverter}
	}
	converter, _, err := factory.NewConverter(definition)
	check(err)
	var objects []map[string]interface{}
	check(json.Unmarshal(c.Objects, &objects))
	var in runtime.Object
	if c.List {
		list := &unstructured.UnstructuredList{Object: map[string]interface{}{"apiVersion": "example.com/v1", "kind": "ThingList"}}
		for _, object := range objects {
			list.Items = append(list.Items, unstructured.Unstructured{Object: object})
		}
		in = list
	} else {
		in = &unstructured.Unstructured{Object: objects[0]}
	}
	to, err := schema.ParseGroupVersion(c.To)
	check(err)
	out, err := converter.ConvertToVersion(in, to)
	if err != nil {
		a.Error = err.Error()
		if uid != "" {
			a.Error = strings.ReplaceAll(a.Error, uid, "$UID")
		}
		return a
	}
	switch out := out.(type) {
	case *unstructured.UnstructuredList:
		items := []interface{}{}
		for _, item := range out.Items {
			items = append(items, item.Object)
		}
		a.Converted = encode(items)
	case *unstructured.Unstructured:
		a.Converted = encode([]interface{}{out.Object})
	}
	return a
}
