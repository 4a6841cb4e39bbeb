package main

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
)

func init() {
	tables["label-selectors"] = labelSelectors
	tables["label-selector-objects"] = labelSelectorObjects
	tables["field-selectors"] = fieldSelectors
}

var labelSets = []labels.Set{
	nil,
	{"x": "a"},
	{"x": "b", "y": "a"},
	{"x": ""},
	{"x": "7", "z": "1"},
	{"x": "-3"},
	{"x": "9223372036854775807"},
	{"in": "notin"},
	{"foo": "bar", "env": "prod"},
	{"__proto__": "x", "constructor": "y"},
}

func labelSelectors() any {
	long := ""
	for len(long) < 64 {
		long += "a"
	}
	texts := []string{
		"", " ", "x", "!x", " ! x", "x=a", "x==a", "x!=a", "x = a", "x=", "x==", "x!=", "x=,y=a", "x= ,y", "x in (a)", "x in (a,b)", "x in (b,a,b)", "x notin (a)", "x notin (a,b),y",
		"x in ()", "x in (,)", "x in (,a)", "x in (a,)", "x in (a,,b)", "x notin ()", "x in ( a , b )", "x>5", "x<5", "x > 5", "x>9223372036854775806", "x<-2", "x>a", "x>", "x>9223372036854775808", "x>1.5",
		"in", "in=notin", "in in (notin)", "notin", "notin in (in,notin)", "!in", "y,x", "z,y,x", "x,x=a", "x,", ",x", "x,,y", ",", "x y", "x a=b", "x=a=b", "x==a==b", "x=a b", "x=!a", "x=(a)", "x=(", "x(", "(", ")", "!", "!!x", "!x=a", "!x in (a)",
		"x in", "x in a", "x in (", "x in (a", "x in (a b)", "x in (a=b)", "x in (=)", "x in )", "x in (a))", "x in ((a))", "x in (!a)", "x notin", "x notin(a)", "x in(a)", "x=a,y in (b),!z,w>1,v<2,u notin (c,d),t,s!=e",
		"=", "==", "=x", "!=x", ">x", "<", "x===a", "x=!=a", "x!a", "x><5", "x>=5", "x=<5", "a/b=c", "example.com/a=b", "a/b/c=d", "/a=b", "a/=b", "A.com/b", "exam ple", "-x", "x-", "x_", ".x", "x=-a", "x=a-", "x=a/b", "x in (a/b,-c)", "x=" + long, long + "=a", "x=é", "é=x",
		"x\t=\na", "x\r\n", "x\x00y", "x=a\x00,y", "x,\x00", "a,b,c,d,e,f,g", "x=a,x=b", "__proto__", "constructor=y", "example.com/" + long, "x=\"a\"", "x='a'", "x;y", "x&y", "x|y", "x*", "x=*", "x=a.b_c-d", "foo=bar,env!=prod", "env in (prod,dev),foo notin (baz)",
	}
	rows := []any{}
	for _, text := range texts {
		row := map[string]any{"text": text}
		selector, err := labels.Parse(text)
		if err != nil {
			row["error"] = err.Error()
		} else {
			row["string"] = selector.String()
			row["empty"] = selector.Empty()
			matches := []int{}
			for i, set := range labelSets {
				if selector.Matches(set) {
					matches = append(matches, i)
				}
			}
			row["matches"] = matches
			if value, found := selector.RequiresExactMatch("x"); found {
				row["exact"] = value
			}
			if object, err := metav1.ParseToLabelSelector(text); err != nil {
				row["objectError"] = err.Error()
			} else {
				row["object"] = object
			}
		}
		rows = append(rows, row)
	}
	return append([]any{map[string]any{"labels": labelSets}}, rows...)
}

func labelSelectorObjects() any {
	expr := func(key, operator string, values ...string) metav1.LabelSelectorRequirement {
		return metav1.LabelSelectorRequirement{Key: key, Operator: metav1.LabelSelectorOperator(operator), Values: values}
	}
	objects := []*metav1.LabelSelector{
		nil,
		{},
		{MatchLabels: map[string]string{"x": "a"}},
		{MatchLabels: map[string]string{"x": "b", "y": "a"}},
		{MatchLabels: map[string]string{"-x": "a"}},
		{MatchLabels: map[string]string{"x": "a b"}},
		{MatchExpressions: []metav1.LabelSelectorRequirement{expr("x", "In", "a", "b")}},
		{MatchExpressions: []metav1.LabelSelectorRequirement{expr("x", "In", "b", "a"), expr("a", "Exists")}},
		{MatchExpressions: []metav1.LabelSelectorRequirement{expr("x", "NotIn", "a")}},
		{MatchExpressions: []metav1.LabelSelectorRequirement{expr("x", "Exists")}},
		{MatchExpressions: []metav1.LabelSelectorRequirement{expr("x", "DoesNotExist")}},
		{MatchExpressions: []metav1.LabelSelectorRequirement{expr("x", "In")}},
		{MatchExpressions: []metav1.LabelSelectorRequirement{expr("x", "Exists", "a")}},
		{MatchExpressions: []metav1.LabelSelectorRequirement{expr("x", "Gt", "1")}},
		{MatchExpressions: []metav1.LabelSelectorRequirement{expr("x", "")}},
		{MatchExpressions: []metav1.LabelSelectorRequirement{expr("x/y/z", "In", "-", "ok", "*")}},
		{MatchLabels: map[string]string{"x": "a"}, MatchExpressions: []metav1.LabelSelectorRequirement{expr("x", "In", "a", "c"), expr("y", "DoesNotExist")}},
	}
	rows := []any{}
	for _, object := range objects {
		row := map[string]any{"object": object}
		selector, err := metav1.LabelSelectorAsSelector(object)
		if err != nil {
			row["error"] = err.Error()
		} else {
			row["string"] = selector.String()
			row["empty"] = selector.Empty()
			matches := []int{}
			for i, set := range labelSets {
				if selector.Matches(set) {
					matches = append(matches, i)
				}
			}
			row["matches"] = matches
		}
		rows = append(rows, row)
	}
	return append([]any{map[string]any{"labels": labelSets}}, rows...)
}

func fieldSelectors() any {
	sets := []fields.Set{{}, {"a": "b"}, {"metadata.name": "web", "status.phase": "Running"}, {"a": `x,y=z\`}, {"": "b"}, {"__proto__": "x"}}
	texts := []string{
		"", ",", ",,", "a=b", "a==b", "a!=b", "a=", "a!=", "=b", "=", "==", "!=", "a", "a,b", "a=b,c", "b=1,a=2", "a=b,", "metadata.name=web,status.phase!=Pending", "status.phase=Running,metadata.name=web",
		`a=x\,y\=z\\`, `a=x\y`, `a=x\`, `a=x=y`, `a=x,y`, `a!=x=y`, `a===b`, `a=\,`, `a\=b=c`, `a\,b=c`, "a =b", "a= b", "é=ü", "a=\u2028", "a>b", "a in (b)", "__proto__=x", "a=b,a=b", "a=b,a!=b", "!=b", "a=!b", "a=\U0001F600,a=\uFFFD",
	}
	rows := []any{}
	for _, text := range texts {
		row := map[string]any{"text": text}
		selector, err := fields.ParseSelector(text)
		if err != nil {
			row["error"] = err.Error()
		} else {
			row["string"] = selector.String()
			row["empty"] = selector.Empty()
			matches := []int{}
			for i, set := range sets {
				if selector.Matches(set) {
					matches = append(matches, i)
				}
			}
			row["matches"] = matches
			if value, found := selector.RequiresExactMatch("a"); found {
				row["exact"] = value
			}
		}
		rows = append(rows, row)
	}
	return append([]any{map[string]any{"fields": sets}}, rows...)
}
