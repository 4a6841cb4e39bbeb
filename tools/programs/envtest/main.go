// Starts an envtest.Environment of controller-runtime from the assets that KUBEBUILDER_ASSETS names, and prints what works
// in it, a line each. Exits with 1 and the reason at the first thing that does not.
package main

import (
	"context"
	"fmt"
	"os"
	"time"

	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/wait"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() (err error) {
	environment := &envtest.Environment{CRDs: []*apiextensionsv1.CustomResourceDefinition{widgets()}}
	begin := time.Now()
	config, err := environment.Start()
	if err != nil {
		return fmt.Errorf("start: %w", err)
	}
	fmt.Fprintf(os.Stderr, "started in %v\n", time.Since(begin))
	defer func() {
		if stopped := environment.Stop(); err == nil && stopped != nil {
			err = fmt.Errorf("stop: %w", stopped)
		} else if err == nil {
			fmt.Println("stopped")
		}
	}()
	fmt.Println("started")
	admin, err := client.New(config, client.Options{})
	if err != nil {
		return err
	}
	ctx := context.Background()
	if err := namespaceGoes(ctx, admin); err != nil {
		return fmt.Errorf("namespace: %w", err)
	}
	fmt.Println("namespace gone")
	if err := ownedGoes(ctx, admin); err != nil {
		return fmt.Errorf("owned object: %w", err)
	}
	fmt.Println("owned object collected")
	user, err := environment.AddUser(envtest.User{Name: "nobody"}, config)
	if err != nil {
		return fmt.Errorf("user: %w", err)
	}
	nobody, err := client.New(user.Config(), client.Options{})
	if err != nil {
		return err
	}
	if err := nobody.List(ctx, &corev1.SecretList{}); !apierrors.IsForbidden(err) {
		return fmt.Errorf("a user without rights got %v", err)
	}
	fmt.Println("user forbidden")
	return nil
}

func widgets() *apiextensionsv1.CustomResourceDefinition {
	anything := true
	return &apiextensionsv1.CustomResourceDefinition{
		ObjectMeta: metav1.ObjectMeta{Name: "widgets.example.com"},
		Spec: apiextensionsv1.CustomResourceDefinitionSpec{
			Group: "example.com",
			Names: apiextensionsv1.CustomResourceDefinitionNames{Plural: "widgets", Singular: "widget", Kind: "Widget", ListKind: "WidgetList"},
			Scope: apiextensionsv1.NamespaceScoped,
			Versions: []apiextensionsv1.CustomResourceDefinitionVersion{{
				Name: "v1", Served: true, Storage: true,
				Schema: &apiextensionsv1.CustomResourceValidation{
					OpenAPIV3Schema: &apiextensionsv1.JSONSchemaProps{Type: "object", XPreserveUnknownFields: &anything},
				},
			}},
		},
	}
}

func namespaceGoes(ctx context.Context, admin client.Client) error {
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "passing"}}
	if err := admin.Create(ctx, namespace); err != nil {
		return err
	}
	inside := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "passing", Name: "inside"}}
	if err := admin.Create(ctx, inside); err != nil {
		return err
	}
	if err := admin.Delete(ctx, namespace); err != nil {
		return err
	}
	return gone(ctx, admin, namespace)
}

// A ConfigMap that belongs to a custom resource, as those of operators do.
func ownedGoes(ctx context.Context, admin client.Client) error {
	owner := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "example.com/v1", "kind": "Widget",
		"metadata": map[string]any{"namespace": "default", "name": "owner"},
	}}
	if err := admin.Create(ctx, owner); err != nil {
		return err
	}
	owned := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{
		Namespace: "default", Name: "owned",
		OwnerReferences: []metav1.OwnerReference{{APIVersion: "example.com/v1", Kind: "Widget", Name: "owner", UID: owner.GetUID()}},
	}}
	if err := admin.Create(ctx, owned); err != nil {
		return err
	}
	if err := admin.Delete(ctx, owner); err != nil {
		return err
	}
	return gone(ctx, admin, owned)
}

func gone(ctx context.Context, admin client.Client, object client.Object) error {
	return wait.PollUntilContextTimeout(ctx, 50*time.Millisecond, time.Minute, true, func(ctx context.Context) (bool, error) {
		err := admin.Get(ctx, client.ObjectKeyFromObject(object), object)
		return apierrors.IsNotFound(err), client.IgnoreNotFound(err)
	})
}
