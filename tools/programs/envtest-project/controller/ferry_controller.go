// Takes the place of the controller that kubebuilder scaffolds: every Ferry has a ConfigMap of its own, and a condition.
package controller

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	fleetv1 "example.com/ferry/api/v1"
)

type FerryReconciler struct {
	client.Client
	Scheme *runtime.Scheme
}

func timetableOf(name string) string { return name + "-timetable" }

// +kubebuilder:rbac:groups=fleet.example.com,resources=ferries,verbs=get;list;watch;create;update;patch;delete
// +kubebuilder:rbac:groups=fleet.example.com,resources=ferries/status,verbs=get;update;patch
// +kubebuilder:rbac:groups="",resources=configmaps,verbs=get;list;watch;create;update;patch;delete

func (r *FerryReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	ferry := &fleetv1.Ferry{}
	if err := r.Get(ctx, req.NamespacedName, ferry); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !ferry.DeletionTimestamp.IsZero() {
		return ctrl.Result{}, nil
	}
	timetable := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: timetableOf(ferry.Name), Namespace: ferry.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, timetable, func() error {
		if ferry.Spec.Foo != nil {
			timetable.Data = map[string]string{"speed": *ferry.Spec.Foo}
		}
		return controllerutil.SetControllerReference(ferry, timetable, r.Scheme)
	})
	if err != nil {
		return ctrl.Result{}, err
	}
	changed := meta.SetStatusCondition(&ferry.Status.Conditions, metav1.Condition{
		Type: "Available", Status: metav1.ConditionTrue, Reason: "TimetableWritten", ObservedGeneration: ferry.Generation,
	})
	if !changed {
		return ctrl.Result{}, nil
	}
	return ctrl.Result{}, r.Status().Update(ctx, ferry)
}

func (r *FerryReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&fleetv1.Ferry{}).Owns(&corev1.ConfigMap{}).Named("ferry").Complete(r)
}
