// A reconciler as operators have it, made with controller-runtime: reads a widget from the cache, compares, patches its status. It ends
// when all widgets have the status of this round, and prints how long that took and how much memory it used.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"sync/atomic"
	"syscall"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

type reconciler struct {
	client      client.Client
	round, want int
	done, calls atomic.Int64
	began       atomic.Int64
	finish      context.CancelFunc
}

func (r *reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	r.began.CompareAndSwap(0, time.Now().UnixNano())
	r.calls.Add(1)
	widget := &Widget{}
	if err := r.client.Get(ctx, request.NamespacedName, widget); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if widget.Status.Round == r.round && widget.Status.Size == widget.Spec.Size {
		return ctrl.Result{}, nil
	}
	before := widget.DeepCopy()
	widget.Status = WidgetStatus{Round: r.round, Size: widget.Spec.Size}
	patch := client.MergeFromWithOptions(before, client.MergeFromWithOptimisticLock{})
	if err := r.client.Status().Patch(ctx, widget, patch); err != nil {
		return ctrl.Result{}, err
	}
	if int(r.done.Add(1)) == r.want {
		r.finish()
	}
	return ctrl.Result{}, nil
}

func run() error {
	round := flag.Int("round", 1, "the status that widgets shall have")
	want := flag.Int("want", 10_000, "how many widgets there are")
	workers := flag.Int("workers", 10, "how many are reconciled at once")
	flag.Parse()
	log.SetLogger(zap.New())
	scheme := runtime.NewScheme()
	addWidgets(scheme)
	config, err := ctrl.GetConfig()
	if err != nil {
		return err
	}
	config.QPS = -1
	manager, err := ctrl.NewManager(config, ctrl.Options{Scheme: scheme, Metrics: metricsserver.Options{BindAddress: "0"}})
	if err != nil {
		return err
	}
	ctx, finish := context.WithCancel(ctrl.SetupSignalHandler())
	r := &reconciler{client: manager.GetClient(), round: *round, want: *want, finish: finish}
	options := controller.Options{MaxConcurrentReconciles: *workers}
	if err := ctrl.NewControllerManagedBy(manager).For(&Widget{}).WithOptions(options).Complete(r); err != nil {
		return err
	}
	context.AfterFunc(ctx, func() {
		seconds := float64(time.Now().UnixNano()-r.began.Load()) / 1e9
		var usage syscall.Rusage
		_ = syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
		fmt.Printf("{\"seconds\":%f,\"peakBytes\":%d,\"calls\":%d}\n", seconds, usage.Maxrss*1024, r.calls.Load())
	})
	return manager.Start(ctx)
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
