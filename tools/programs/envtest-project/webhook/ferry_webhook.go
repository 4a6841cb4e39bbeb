// Takes the place of the webhook that kubebuilder scaffolds: a Ferry without a speed is slow, and none is warp-fast.
package v1

import (
	"context"
	"errors"

	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	fleetv1 "example.com/ferry/api/v1"
)

func SetupFerryWebhookWithManager(mgr ctrl.Manager) error {
	return ctrl.NewWebhookManagedBy(mgr, &fleetv1.Ferry{}).
		WithValidator(&FerryCustomValidator{}).
		WithDefaulter(&FerryCustomDefaulter{}).
		Complete()
}

// +kubebuilder:webhook:path=/mutate-fleet-example-com-v1-ferry,mutating=true,failurePolicy=fail,sideEffects=None,groups=fleet.example.com,resources=ferries,verbs=create;update,versions=v1,name=mferry-v1.kb.io,admissionReviewVersions=v1

type FerryCustomDefaulter struct{}

func (d *FerryCustomDefaulter) Default(_ context.Context, ferry *fleetv1.Ferry) error {
	if ferry.Spec.Foo == nil {
		slow := "slow"
		ferry.Spec.Foo = &slow
	}
	return nil
}

// +kubebuilder:webhook:path=/validate-fleet-example-com-v1-ferry,mutating=false,failurePolicy=fail,sideEffects=None,groups=fleet.example.com,resources=ferries,verbs=create;update,versions=v1,name=vferry-v1.kb.io,admissionReviewVersions=v1

type FerryCustomValidator struct{}

func (v *FerryCustomValidator) ValidateCreate(_ context.Context, ferry *fleetv1.Ferry) (admission.Warnings, error) {
	if *ferry.Spec.Foo == "warp" {
		return nil, errors.New("ferries do not travel at warp speed")
	}
	return nil, nil
}

func (v *FerryCustomValidator) ValidateUpdate(ctx context.Context, _, ferry *fleetv1.Ferry) (admission.Warnings, error) {
	return v.ValidateCreate(ctx, ferry)
}

func (v *FerryCustomValidator) ValidateDelete(context.Context, *fleetv1.Ferry) (admission.Warnings, error) {
	return nil, nil
}
