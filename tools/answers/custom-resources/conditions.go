package main

import (
	"context"
	"encoding/json"
	"sort"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/client/clientset/clientset/fake"
	"k8s.io/apiextensions-apiserver/pkg/client/informers/externalversions"
	"k8s.io/apiextensions-apiserver/pkg/controller/apiapproval"
	"k8s.io/apiextensions-apiserver/pkg/controller/establish"
	"k8s.io/apiextensions-apiserver/pkg/controller/nonstructuralschema"
	"k8s.io/apiextensions-apiserver/pkg/controller/status"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/klog/v2"
)

type conditionsCase struct {
	Definitions []json.RawMessage `json:"definitions"`
}

type conditionsAnswer struct {
	Names      *apiextensionsv1.CustomResourceDefinitionNames `json:"acceptedNames"`
	Conditions []map[string]string                            `json:"conditions"`
}

// answerConditions lets the controllers run over the definitions until nothing more happens.
func answerConditions(text json.RawMessage) interface{} {
	var c conditionsCase
	check(json.Unmarshal(text, &c))
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	client := fake.NewSimpleClientset()
	for _, one := range c.Definitions {
		_, err := client.ApiextensionsV1().CustomResourceDefinitions().Create(ctx, definitionOf(one), metav1.CreateOptions{})
		check(err)
	}
	factory := externalversions.NewSharedInformerFactory(client, 0)
	informer := factory.Apiextensions().V1().CustomResourceDefinitions()
	naming := status.NewNamingConditionController(klog.Background(), informer, client.ApiextensionsV1())
	nonStructural := nonstructuralschema.NewConditionController(informer, client.ApiextensionsV1())
	approval := apiapproval.NewKubernetesAPIApprovalPolicyConformantConditionController(informer, client.ApiextensionsV1())
	establishing := establish.NewEstablishingController(informer, client.ApiextensionsV1())
	factory.Start(ctx.Done())
	factory.WaitForCacheSync(ctx.Done())
	go naming.Run(ctx.Done())
	time.Sleep(300 * time.Millisecond)
	go nonStructural.Run(1, ctx.Done())
	time.Sleep(300 * time.Millisecond)
	go approval.Run(1, ctx.Done())
	time.Sleep(300 * time.Millisecond)
	go establishing.Run(ctx.Done())
	list, err := client.ApiextensionsV1().CustomResourceDefinitions().List(ctx, metav1.ListOptions{})
	check(err)
	for _, one := range list.Items {
		establishing.QueueCRD(one.Name, 0)
	}
	time.Sleep(300 * time.Millisecond)
	list, err = client.ApiextensionsV1().CustomResourceDefinitions().List(ctx, metav1.ListOptions{})
	check(err)
	answers := map[string]conditionsAnswer{}
	for i := range list.Items {
		one := list.Items[i]
		a := conditionsAnswer{&one.Status.AcceptedNames, []map[string]string{}}
		for _, condition := range one.Status.Conditions {
			a.Conditions = append(a.Conditions, map[string]string{"type": string(condition.Type), "status": string(condition.Status), "reason": condition.Reason, "message": condition.Message})
		}
		sort.Slice(a.Conditions, func(i, j int) bool { return a.Conditions[i]["type"] < a.Conditions[j]["type"] })
		answers[one.Name] = a
	}
	return answers
}
