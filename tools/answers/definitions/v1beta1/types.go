// +groupName=example.com
// +versionName=v1beta1
package v1beta1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Versioned has two versions.
// +kubebuilder:object:root=true
// +kubebuilder:deprecatedversion:warning="use v1"
// +kubebuilder:unservedversion
type Versioned struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec VersionedSpec `json:"spec"`
}

type VersionedSpec struct {
	Old string `json:"old"`
}
