package main

import (
	"context"
	"encoding/json"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/registry/customresource/tableconvertor"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type tableCase struct {
	Columns []apiextensionsv1.CustomResourceColumnDefinition `json:"columns"`
	Object  json.RawMessage                                  `json:"object"`
}

type tableAnswer struct {
	Columns []metav1.TableColumnDefinition `json:"columns"`
	Cells   []interface{}                  `json:"cells"`
}

func answerTable(text json.RawMessage) interface{} {
	var c tableCase
	check(json.Unmarshal(text, &c))
	// What cannot be parsed ends the columns; the server prints with those before it.
	convertor, _ := tableconvertor.New(c.Columns)
	table, err := convertor.ConvertToTable(context.Background(), unstructuredOf(c.Object), &metav1.TableOptions{})
	check(err)
	for i := range table.ColumnDefinitions {
		if table.ColumnDefinitions[i].Name == "Name" && i == 0 {
			table.ColumnDefinitions[i].Description = ""
		}
	}
	return tableAnswer{table.ColumnDefinitions, table.Rows[0].Cells}
}
