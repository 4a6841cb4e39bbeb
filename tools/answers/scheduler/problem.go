package main

import (
	"encoding/json"

	appsv1 "k8s.io/api/apps/v1"
	v1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	resourceapi "k8s.io/api/resource/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// problem is one pod to be scheduled in a cluster.
type problem struct {
	Nodes  []*v1.Node `json:"nodes"`
	Pods   []*v1.Pod  `json:"pods"`
	Pod    *v1.Pod    `json:"pod"`
	Config string     `json:"config"`
	// By resource, as upstream's clients name them in lower case.
	Objects objects `json:"objects"`
}

type objects struct {
	Namespaces             []*v1.Namespace                 `json:"namespaces"`
	Services               []*v1.Service                   `json:"services"`
	ReplicationControllers []*v1.ReplicationController     `json:"replicationControllers"`
	ReplicaSets            []*appsv1.ReplicaSet            `json:"replicaSets"`
	StatefulSets           []*appsv1.StatefulSet           `json:"statefulSets"`
	PodDisruptionBudgets   []*policyv1.PodDisruptionBudget `json:"podDisruptionBudgets"`
	PersistentVolumes      []*v1.PersistentVolume          `json:"persistentVolumes"`
	PersistentVolumeClaims []*v1.PersistentVolumeClaim     `json:"persistentVolumeClaims"`
	StorageClasses         []*storagev1.StorageClass       `json:"storageClasses"`
	CSINodes               []*storagev1.CSINode            `json:"csiNodes"`
	CSIDrivers             []*storagev1.CSIDriver          `json:"csiDrivers"`
	CSIStorageCapacities   []*storagev1.CSIStorageCapacity `json:"csiStorageCapacities"`
	VolumeAttachments      []*storagev1.VolumeAttachment   `json:"volumeAttachments"`
	ResourceClaims         []*resourceapi.ResourceClaim    `json:"resourceClaims"`
	ResourceSlices         []*resourceapi.ResourceSlice    `json:"resourceSlices"`
	DeviceClasses          []*resourceapi.DeviceClass      `json:"deviceClasses"`
}

// all lists every object of the problem, for a fake client.
func (p *problem) all() []runtime.Object {
	var all []runtime.Object
	add := func(raw any) {
		for _, object := range raw.([]runtime.Object) {
			all = append(all, object)
		}
	}
	add(asObjects(p.Nodes))
	add(asObjects(p.Pods))
	add(asObjects([]*v1.Pod{p.Pod}))
	o := p.Objects
	add(asObjects(o.Namespaces))
	add(asObjects(o.Services))
	add(asObjects(o.ReplicationControllers))
	add(asObjects(o.ReplicaSets))
	add(asObjects(o.StatefulSets))
	add(asObjects(o.PodDisruptionBudgets))
	add(asObjects(o.PersistentVolumes))
	add(asObjects(o.PersistentVolumeClaims))
	add(asObjects(o.StorageClasses))
	add(asObjects(o.CSINodes))
	add(asObjects(o.CSIDrivers))
	add(asObjects(o.CSIStorageCapacities))
	add(asObjects(o.VolumeAttachments))
	add(asObjects(o.ResourceClaims))
	add(asObjects(o.ResourceSlices))
	add(asObjects(o.DeviceClasses))
	return all
}

func asObjects[T runtime.Object](list []T) []runtime.Object {
	converted := make([]runtime.Object, len(list))
	for i, object := range list {
		converted[i] = object
	}
	return converted
}

var _ json.Marshaler = (*runtime.Unknown)(nil)
