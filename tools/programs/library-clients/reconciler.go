package main

import (
	"context"
	"errors"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

type reconciler struct{ client client.Client }

func (r *reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	booking := &Booking{}
	if err := r.client.Get(ctx, request.NamespacedName, booking); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if booking.Status.Room != "" {
		return ctrl.Result{}, nil
	}
	before := booking.DeepCopyObject().(client.Object)
	booking.Status.Room = "12"
	return ctrl.Result{}, r.client.Status().Patch(ctx, booking, client.MergeFrom(before))
}

func reconcileStatuses(ctx context.Context, config *rest.Config) error {
	log.SetLogger(zap.New())
	manager, err := ctrl.NewManager(config, ctrl.Options{Scheme: newScheme(), Metrics: metricsserver.Options{BindAddress: "0"}})
	if err != nil {
		return err
	}
	if err := ctrl.NewControllerManagedBy(manager).For(&Booking{}).Complete(&reconciler{manager.GetClient()}); err != nil {
		return err
	}
	running, stop := context.WithCancel(ctx)
	defer stop()
	ended := make(chan error, 1)
	go func() { ended <- manager.Start(running) }()
	writer, err := client.New(config, client.Options{Scheme: newScheme()})
	if err != nil {
		return err
	}
	booking := &Booking{
		ObjectMeta: metav1.ObjectMeta{Name: "reconciled", Namespace: namespace},
		Spec:       BookingSpec{Guest: "ann", From: "2026-12-24"},
	}
	if err := writer.Create(ctx, booking); err != nil {
		return err
	}
	for range 200 {
		if err := writer.Get(ctx, client.ObjectKeyFromObject(booking), booking); err != nil {
			return err
		}
		if booking.Status.Room == "12" {
			stop()
			return <-ended
		}
		time.Sleep(100 * time.Millisecond)
	}
	return errors.New("no status was set")
}
