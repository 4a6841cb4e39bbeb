package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"
	"k8s.io/client-go/tools/cache"
)

const namespace = "default"

func mapKinds(_ context.Context, config *rest.Config) error {
	client, err := discovery.NewDiscoveryClientForConfig(config)
	if err != nil {
		return err
	}
	mapper := restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(client))
	mapping, err := mapper.RESTMapping(version.WithKind("Booking").GroupKind(), "v1")
	if err != nil {
		return err
	}
	if mapping.Resource != bookings || mapping.Scope.Name() != "namespace" {
		return fmt.Errorf("a Booking is at %v, %s", mapping.Resource, mapping.Scope.Name())
	}
	return nil
}

func readOpenAPI(_ context.Context, config *rest.Config) error {
	client, err := discovery.NewDiscoveryClientForConfig(config)
	if err != nil {
		return err
	}
	paths, err := client.OpenAPIV3().Paths()
	if err != nil {
		return err
	}
	document, found := paths["apis/hotel.example.com/v1"]
	if !found {
		return errors.New("no document for the group")
	}
	text, err := document.Schema("application/json")
	if err == nil && len(text) == 0 {
		err = errors.New("the document is empty")
	}
	return err
}

func writeObjects(ctx context.Context, config *rest.Config) error {
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return err
	}
	resource := client.Resource(bookings).Namespace(namespace)
	created, err := resource.Create(ctx, untyped("one", "ann"), metav1.CreateOptions{})
	if err != nil {
		return err
	}
	if nights, _, _ := unstructured.NestedInt64(created.Object, "spec", "nights"); nights != 1 {
		return fmt.Errorf("the default of nights is %d", nights)
	}
	if _, err = resource.Create(ctx, untyped("one", "ann"), metav1.CreateOptions{}); !apierrors.IsAlreadyExists(err) {
		return fmt.Errorf("a second create: %w", err)
	}
	if _, err = resource.Create(ctx, untyped("two", "nobody"), metav1.CreateOptions{}); !apierrors.IsInvalid(err) {
		return fmt.Errorf("an invalid one: %w", err)
	}
	if _, err = resource.Get(ctx, "nobody", metav1.GetOptions{}); !apierrors.IsNotFound(err) {
		return fmt.Errorf("one that is not there: %w", err)
	}
	stale := created.DeepCopy()
	created.SetLabels(map[string]string{"floor": "one"})
	if _, err = resource.Update(ctx, created, metav1.UpdateOptions{}); err != nil {
		return err
	}
	stale.SetLabels(map[string]string{"floor": "two"})
	if _, err = resource.Update(ctx, stale, metav1.UpdateOptions{}); !apierrors.IsConflict(err) {
		return fmt.Errorf("an update of an older state: %w", err)
	}
	if _, err = resource.Patch(ctx, "one", types.MergePatchType, []byte(`{"spec":{"nights":2}}`), metav1.PatchOptions{}); err != nil {
		return err
	}
	jsonPatch := []byte(`[{"op":"replace","path":"/spec/nights","value":3}]`)
	if _, err = resource.Patch(ctx, "one", types.JSONPatchType, jsonPatch, metav1.PatchOptions{}); err != nil {
		return err
	}
	applied := untyped("one", "eve")
	if _, err = resource.Apply(ctx, "one", applied, metav1.ApplyOptions{FieldManager: "desk"}); !apierrors.IsConflict(err) {
		return fmt.Errorf("an apply of what others own: %w", err)
	}
	got, err := resource.Apply(ctx, "one", applied, metav1.ApplyOptions{FieldManager: "desk", Force: true})
	if err != nil {
		return err
	}
	if guest, _, _ := unstructured.NestedString(got.Object, "spec", "guest"); guest != "eve" {
		return fmt.Errorf("the guest is %q", guest)
	}
	return resource.Delete(ctx, "one", metav1.DeleteOptions{})
}

func listPages(ctx context.Context, config *rest.Config) error {
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return err
	}
	resource := client.Resource(bookings).Namespace(namespace)
	for at := range 5 {
		if _, err := resource.Create(ctx, untyped(fmt.Sprintf("page-%d", at), "ann"), metav1.CreateOptions{}); err != nil {
			return err
		}
	}
	found, next := 0, ""
	for {
		page, err := resource.List(ctx, metav1.ListOptions{Limit: 2, Continue: next})
		if err != nil {
			return err
		}
		found += len(page.Items)
		if next = page.GetContinue(); next == "" {
			break
		}
	}
	if found != 5 {
		return fmt.Errorf("%d objects in pages", found)
	}
	return resource.DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{})
}

func followByInformer(ctx context.Context, config *rest.Config) error {
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return err
	}
	factory := dynamicinformer.NewDynamicSharedInformerFactory(client, 0)
	informer := factory.ForResource(bookings).Informer()
	seen := make(chan string, 10)
	_, err = informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(any) { seen <- "added" },
		UpdateFunc: func(_, _ any) { seen <- "updated" },
		DeleteFunc: func(any) { seen <- "deleted" },
	})
	if err != nil {
		return err
	}
	factory.Start(ctx.Done())
	if !cache.WaitForCacheSync(ctx.Done(), informer.HasSynced) {
		return errors.New("the cache was not filled")
	}
	resource := client.Resource(bookings).Namespace(namespace)
	if _, err := resource.Create(ctx, untyped("followed", "ann"), metav1.CreateOptions{}); err != nil {
		return err
	}
	patch := []byte(`{"metadata":{"labels":{"a":"b"}}}`)
	if _, err := resource.Patch(ctx, "followed", types.MergePatchType, patch, metav1.PatchOptions{}); err != nil {
		return err
	}
	if err := resource.Delete(ctx, "followed", metav1.DeleteOptions{}); err != nil {
		return err
	}
	for _, want := range []string{"added", "updated", "deleted"} {
		select {
		case got := <-seen:
			if got != want {
				return fmt.Errorf("%s instead of %s", got, want)
			}
		case <-time.After(20 * time.Second):
			return fmt.Errorf("%s did not come", want)
		}
	}
	return nil
}
