// +groupName=example.com
// +versionName=v1
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Shapes has one member for each form of a type.
// +kubebuilder:object:root=true
type Shapes struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec ShapesSpec `json:"spec"`
}

// Versioned has two versions.
// +kubebuilder:object:root=true
// +kubebuilder:storageversion
type Versioned struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec VersionedSpec `json:"spec"`
}

type VersionedSpec struct {
	New string `json:"new"`
}

// Policy has everything that markers say of a kind.
// +kubebuilder:object:root=true
// +kubebuilder:resource:scope=Cluster,shortName=pol;p,categories=all;policies
// +kubebuilder:subresource:status
// +kubebuilder:subresource:scale:specpath=.spec.replicas,statuspath=.status.replicas,selectorpath=.status.selector
// +kubebuilder:printcolumn:name="Phase",type=string,JSONPath=`.status.phase`
// +kubebuilder:printcolumn:name="Age of it",type=date,JSONPath=`.metadata.creationTimestamp`,priority=1,description="since it was made"
// +kubebuilder:printcolumn:name="Count",type=integer,format=int32,JSONPath=`.spec.replicas`
// +kubebuilder:selectablefield:JSONPath=`.spec.color`
// +kubebuilder:metadata:labels="team=media"
// +kubebuilder:metadata:annotations="note=yes"
// +kubebuilder:validation:XValidation:rule="self.metadata.name.size() < 20",message="too long"
type Policy struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec PolicySpec `json:"spec,omitempty"`
	// What is.
	Status PolicyStatus `json:"status,omitempty"`
}

// PolicySpec is what is wanted.
type PolicySpec struct {
	Color    string `json:"color,omitempty"`
	Replicas int32  `json:"replicas,omitempty"`
}

type PolicyStatus struct {
	Phase    string `json:"phase,omitempty"`
	Replicas int32  `json:"replicas,omitempty"`
	Selector string `json:"selector,omitempty"`
	// +listType=map
	// +listMapKey=type
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

// Library has another plural.
// +kubebuilder:object:root=true
// +kubebuilder:resource:path=libs,singular=lib
type Library struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
}
