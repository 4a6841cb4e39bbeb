package main

import (
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/conversion"
)

const group = "boats.example.com"

var (
	v1       = schema.GroupVersion{Group: group, Version: "v1"}
	v1alpha1 = schema.GroupVersion{Group: group, Version: "v1alpha1"}
)

// Boat is the version that is stored.
type Boat struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              BoatSpec `json:"spec,omitempty"`
}

type BoatSpec struct {
	Sails []string `json:"sails,omitempty"`
	Crew  int      `json:"crew,omitempty"`
}

// OldBoat is an earlier version, whose sails are one text.
type OldBoat struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              OldBoatSpec `json:"spec,omitempty"`
}

type OldBoatSpec struct {
	Sails string `json:"sails,omitempty"`
	Crew  int    `json:"crew,omitempty"`
}

func (b *Boat) DeepCopyObject() runtime.Object {
	out := *b
	b.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	out.Spec.Sails = append([]string(nil), b.Spec.Sails...)
	return &out
}

func (b *OldBoat) DeepCopyObject() runtime.Object {
	out := *b
	b.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	return &out
}

// Hub marks that all conversions go through this version.
func (*Boat) Hub() {}

func (b *OldBoat) ConvertTo(hub conversion.Hub) error {
	boat := hub.(*Boat)
	boat.ObjectMeta = b.ObjectMeta
	boat.Spec = BoatSpec{Crew: b.Spec.Crew}
	if b.Spec.Sails != "" {
		boat.Spec.Sails = strings.Split(b.Spec.Sails, ",")
	}
	return nil
}

func (b *OldBoat) ConvertFrom(hub conversion.Hub) error {
	boat := hub.(*Boat)
	b.ObjectMeta = boat.ObjectMeta
	b.Spec = OldBoatSpec{Sails: strings.Join(boat.Spec.Sails, ","), Crew: boat.Spec.Crew}
	return nil
}

func addBoats(scheme *runtime.Scheme) {
	scheme.AddKnownTypeWithName(v1.WithKind("Boat"), &Boat{})
	scheme.AddKnownTypeWithName(v1alpha1.WithKind("Boat"), &OldBoat{})
	metav1.AddToGroupVersion(scheme, v1)
	metav1.AddToGroupVersion(scheme, v1alpha1)
}
