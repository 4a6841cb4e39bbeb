// Command library-clients works with the bookings of an API server that is made with our library, by client-go and by controller-runtime,
// as they are. It prints a line for each thing that worked, and ends with 1 at the first that does not.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"time"

	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
)

type step struct {
	name string
	run  func(context.Context, *rest.Config) error
}

func main() {
	flag.Parse() // --kubeconfig is controller-runtime's
	config, err := ctrl.GetConfig()
	if err != nil {
		fail("kubeconfig", err)
	}
	config.QPS = -1
	ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
	defer cancel()
	steps := []step{
		{"client-go maps kinds to resources by discovery", mapKinds},
		{"client-go reads OpenAPI", readOpenAPI},
		{"client-go creates, reads, updates, patches, applies and deletes", writeObjects},
		{"client-go lists in pages", listPages},
		{"an informer of client-go follows", followByInformer},
		{"a reconciler of controller-runtime sets statuses", reconcileStatuses},
	}
	for _, step := range steps {
		if err := step.run(ctx, config); err != nil {
			fail(step.name, err)
		}
		fmt.Println(step.name)
	}
}

func fail(what string, err error) {
	fmt.Fprintf(os.Stderr, "%s: %v\n", what, err)
	os.Exit(1)
}
