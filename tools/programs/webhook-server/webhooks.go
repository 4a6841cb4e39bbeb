package main

import (
	"context"
	"fmt"

	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
)

// shipyard gives boats what they lack.
type shipyard struct{}

func (shipyard) Default(_ context.Context, boat *Boat) error {
	if boat.Spec.Crew == 0 {
		boat.Spec.Crew = 1
	}
	if boat.Labels == nil {
		boat.Labels = map[string]string{}
	}
	boat.Labels["built-by"] = "controller-runtime"
	return nil
}

// harbour refuses boats that should not leave it.
type harbour struct{}

func (harbour) check(boat *Boat) (admission.Warnings, error) {
	if boat.Spec.Crew > 100 {
		return nil, fmt.Errorf("spec.crew: %d are too many", boat.Spec.Crew)
	}
	if len(boat.Spec.Sails) == 0 {
		return admission.Warnings{"a boat without sails drifts"}, nil
	}
	return nil, nil
}

func (h harbour) ValidateCreate(_ context.Context, boat *Boat) (admission.Warnings, error) {
	return h.check(boat)
}

func (h harbour) ValidateUpdate(_ context.Context, _, boat *Boat) (admission.Warnings, error) {
	return h.check(boat)
}

func (harbour) ValidateDelete(_ context.Context, boat *Boat) (admission.Warnings, error) {
	if boat.Labels["anchored"] == "yes" {
		return nil, fmt.Errorf("it is anchored")
	}
	return nil, nil
}
