package main

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var (
	version  = schema.GroupVersion{Group: "hotel.example.com", Version: "v1"}
	bookings = version.WithResource("bookings")
)

// Booking is the kind of examples/bookings, as a user of Go would write it down.
type Booking struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              BookingSpec   `json:"spec"`
	Status            BookingStatus `json:"status,omitempty"`
}

type BookingSpec struct {
	Guest  string `json:"guest"`
	From   string `json:"from"`
	Nights int    `json:"nights,omitempty"`
}

type BookingStatus struct {
	Room string `json:"room,omitempty"`
}

type BookingList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Booking `json:"items"`
}

func (b *Booking) DeepCopyObject() runtime.Object {
	out := *b
	b.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	return &out
}

func (l *BookingList) DeepCopyObject() runtime.Object {
	out := *l
	l.ListMeta.DeepCopyInto(&out.ListMeta)
	out.Items = make([]Booking, len(l.Items))
	for i := range l.Items {
		out.Items[i] = *l.Items[i].DeepCopyObject().(*Booking)
	}
	return &out
}

func newScheme() *runtime.Scheme {
	scheme := runtime.NewScheme()
	scheme.AddKnownTypes(version, &Booking{}, &BookingList{})
	metav1.AddToGroupVersion(scheme, version)
	return scheme
}

func untyped(name, guest string) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": version.String(),
		"kind":       "Booking",
		"metadata":   map[string]any{"name": name},
		"spec":       map[string]any{"guest": guest, "from": "2026-12-24"},
	}}
}
