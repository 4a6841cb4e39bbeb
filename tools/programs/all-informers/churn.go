package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
)

// The least that a server accepts of each kind, beside its name. What is not here is watched but not churned.
var templates = map[string]string{
	"v1 ConfigMap":                               `{"data":{"a":"b","__proto__":"c"},"binaryData":{"x":"AAEC"}}`,
	"v1 Secret":                                  `{"type":"Opaque","data":{"a":"Yg=="}}`,
	"v1 Pod":                                     `{"spec":{"containers":[{"name":"c","image":"i","resources":{"requests":{"cpu":"100m","memory":"1Gi"}},"ports":[{"containerPort":80}]}],"volumes":[{"name":"v","emptyDir":{}}]}}`,
	"v1 Service":                                 `{"spec":{"type":"ExternalName","externalName":"example.org"}}`,
	"v1 Endpoints":                               `{"subsets":[{"addresses":[{"ip":"10.1.2.3"}],"ports":[{"port":80}]}]}`,
	"v1 ServiceAccount":                          `{"automountServiceAccountToken":false}`,
	"v1 LimitRange":                              `{"spec":{"limits":[{"type":"PersistentVolumeClaim","max":{"storage":"100Gi"}}]}}`,
	"v1 ResourceQuota":                           `{"spec":{"hard":{"services":"100000"}}}`,
	"v1 ReplicationController":                   `{"spec":{"replicas":0,"selector":{"a":"b"},"template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"c","image":"i"}]}}}}`,
	"v1 PodTemplate":                             `{"template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"c","image":"i"}]}}}`,
	"v1 PersistentVolumeClaim":                   `{"spec":{"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"1Gi"}}}}`,
	"v1 PersistentVolume":                        `{"spec":{"capacity":{"storage":"1Gi"},"accessModes":["ReadWriteOnce"],"hostPath":{"path":"/tmp/x"}}}`,
	"v1 Node":                                    `{"spec":{"podCIDR":"10.2.0.0/24","taints":[{"key":"a","effect":"NoSchedule"}]}}`,
	"v1 Event":                                   `{"involvedObject":{"kind":"Pod","namespace":"churn","name":"x"},"reason":"Churned","message":"m","type":"Normal"}`,
	"apps/v1 Deployment":                         `{"spec":{"replicas":0,"selector":{"matchLabels":{"a":"b"}},"template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"c","image":"i"}]}}}}`,
	"apps/v1 ReplicaSet":                         `{"spec":{"replicas":0,"selector":{"matchLabels":{"a":"b"}},"template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"c","image":"i"}]}}}}`,
	"apps/v1 StatefulSet":                        `{"spec":{"replicas":0,"serviceName":"s","selector":{"matchLabels":{"a":"b"}},"template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"c","image":"i"}]}}}}`,
	"apps/v1 DaemonSet":                          `{"spec":{"selector":{"matchLabels":{"a":"b"}},"template":{"metadata":{"labels":{"a":"b"}},"spec":{"nodeSelector":{"no":"node"},"containers":[{"name":"c","image":"i"}]}}}}`,
	"apps/v1 ControllerRevision":                 `{"data":{"any":{"thing":[1,2.5,"x",null]}},"revision":1}`,
	"batch/v1 Job":                               `{"spec":{"suspend":true,"template":{"spec":{"restartPolicy":"Never","containers":[{"name":"c","image":"i"}]}}}}`,
	"batch/v1 CronJob":                           `{"spec":{"suspend":true,"schedule":"* * * * *","jobTemplate":{"spec":{"template":{"spec":{"restartPolicy":"Never","containers":[{"name":"c","image":"i"}]}}}}}}`,
	"autoscaling/v2 HorizontalPodAutoscaler":     `{"spec":{"maxReplicas":3,"scaleTargetRef":{"apiVersion":"apps/v1","kind":"Deployment","name":"x"},"metrics":[{"type":"Resource","resource":{"name":"memory","target":{"type":"AverageValue","averageValue":"1Gi"}}}]}}`,
	"coordination.k8s.io/v1 Lease":               `{"spec":{"holderIdentity":"me","renewTime":"2026-01-02T03:04:05.000006Z","leaseDurationSeconds":15}}`,
	"discovery.k8s.io/v1 EndpointSlice":          `{"addressType":"IPv4","endpoints":[{"addresses":["10.1.2.3"]}],"ports":[{"port":80}]}`,
	"networking.k8s.io/v1 NetworkPolicy":         `{"spec":{"podSelector":{},"ingress":[{"ports":[{"port":"http"},{"port":80}]}]}}`,
	"networking.k8s.io/v1 Ingress":               `{"spec":{"rules":[{"host":"a.example","http":{"paths":[{"path":"/","pathType":"Prefix","backend":{"service":{"name":"s","port":{"number":80}}}}]}}]}}`,
	"networking.k8s.io/v1 IngressClass":          `{"spec":{"controller":"example.com/x"}}`,
	"policy/v1 PodDisruptionBudget":              `{"spec":{"minAvailable":"50%","selector":{"matchLabels":{"a":"b"}}}}`,
	"rbac.authorization.k8s.io/v1 Role":          `{"rules":[{"apiGroups":[""],"resources":["pods"],"verbs":["get"]}]}`,
	"rbac.authorization.k8s.io/v1 ClusterRole":   `{"rules":[{"nonResourceURLs":["/x"],"verbs":["get"]}]}`,
	"rbac.authorization.k8s.io/v1 RoleBinding":   `{"roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"ClusterRole","name":"view"},"subjects":[{"kind":"User","apiGroup":"rbac.authorization.k8s.io","name":"u"}]}`,
	"scheduling.k8s.io/v1 PriorityClass":         `{"value":10,"description":"d"}`,
	"storage.k8s.io/v1 StorageClass":             `{"provisioner":"example.com/x","parameters":{"a":"b"}}`,
	"storage.k8s.io/v1 CSIDriver":                `{"spec":{"attachRequired":false}}`,
	"node.k8s.io/v1 RuntimeClass":                `{"handler":"x"}`,
	"flowcontrol.apiserver.k8s.io/v1 FlowSchema": `{"spec":{"matchingPrecedence":9000,"priorityLevelConfiguration":{"name":"x"}}}`,
	"admissionregistration.k8s.io/v1 ValidatingAdmissionPolicyBinding": `{"spec":{"policyName":"none","validationActions":["Deny"]}}`,
}

const namespace = "churn"

// churn creates, changes and deletes objects, and answers how many writes were accepted.
func churn(ctx context.Context, client dynamic.Interface, resources []Resource, writers int, length time.Duration, problems *Complaints) int64 {
	// A deadline of the context would cut requests off, and client-go would failure about itself.
	end := time.Now().Add(length)
	var churned []Resource
	for _, resource := range resources {
		if templates[resource.GroupVersion().String()+" "+resource.Kind] != "" {
			churned = append(churned, resource)
		}
	}
	space := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "v1", "kind": "Namespace", "metadata": map[string]any{"name": namespace}}}
	if _, err := client.Resource(namespaces).Create(ctx, space, metav1.CreateOptions{}); err != nil && !apierrors.IsAlreadyExists(err) {
		problems.Add("creating the namespace: %v", err)
	}
	var writes atomic.Int64
	var group sync.WaitGroup
	for range writers {
		group.Go(func() {
			for time.Now().Before(end) {
				resource := churned[rand.IntN(len(churned))]
				err := writeOnce(ctx, client, resource)
				switch {
				case err == nil:
					writes.Add(1)
				case apierrors.IsConflict(err), apierrors.IsNotFound(err), apierrors.IsAlreadyExists(err):
				case isDisconnect(err.Error()):
					disconnects.Add(1)
					time.Sleep(100 * time.Millisecond)
				default:
					problems.Add("writing %s: %v", resource.Resource, err)
				}
			}
		})
	}
	group.Wait()
	return writes.Load()
}

func writeOnce(ctx context.Context, client dynamic.Interface, resource Resource) error {
	var target dynamic.ResourceInterface = client.Resource(resource.GroupVersionResource)
	if resource.Namespaced {
		target = client.Resource(resource.GroupVersionResource).Namespace(namespace)
	}
	name := fmt.Sprintf("churn-%d", rand.IntN(8))
	var err error
	switch rand.IntN(4) {
	case 0:
		_, err = target.Create(ctx, filled(resource, name), metav1.CreateOptions{})
	case 1:
		object := filled(resource, name)
		object.SetLabels(map[string]string{"turn": fmt.Sprint(rand.IntN(1000))})
		_, err = target.Apply(ctx, name, object, metav1.ApplyOptions{FieldManager: "churn", Force: true})
	case 2:
		patch := fmt.Sprintf(`{"metadata":{"annotations":{"turn":"%d"}}}`, rand.IntN(1000))
		_, err = target.Patch(ctx, name, types.MergePatchType, []byte(patch), metav1.PatchOptions{})
	default:
		err = target.Delete(ctx, name, metav1.DeleteOptions{GracePeriodSeconds: new(int64)})
	}
	return err
}

func filled(resource Resource, name string) *unstructured.Unstructured {
	object := &unstructured.Unstructured{}
	must(0, json.Unmarshal([]byte(templates[resource.GroupVersion().String()+" "+resource.Kind]), &object.Object))
	object.SetAPIVersion(resource.GroupVersion().String())
	object.SetKind(resource.Kind)
	object.SetName(name)
	if resource.Namespaced {
		object.SetNamespace(namespace)
	}
	return object
}
