package main

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/apiserver"
	"k8s.io/apiextensions-apiserver/pkg/registry/customresourcedefinition"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/client-go/kubernetes/fake"
	apiregistration "k8s.io/kube-aggregator/pkg/apiserver/scheme"
	"k8s.io/kube-aggregator/pkg/registry/apiservice"
	apiserviceetcd "k8s.io/kube-aggregator/pkg/registry/apiservice/etcd"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	_ "k8s.io/kubernetes/pkg/controlplane"
	"k8s.io/kubernetes/pkg/registry/admissionregistration/mutatingadmissionpolicy"
	"k8s.io/kubernetes/pkg/registry/admissionregistration/mutatingadmissionpolicybinding"
	"k8s.io/kubernetes/pkg/registry/admissionregistration/mutatingwebhookconfiguration"
	"k8s.io/kubernetes/pkg/registry/admissionregistration/validatingadmissionpolicy"
	"k8s.io/kubernetes/pkg/registry/admissionregistration/validatingadmissionpolicybinding"
	"k8s.io/kubernetes/pkg/registry/admissionregistration/validatingwebhookconfiguration"
	"k8s.io/kubernetes/pkg/registry/apps/controllerrevision"
	"k8s.io/kubernetes/pkg/registry/apps/daemonset"
	"k8s.io/kubernetes/pkg/registry/apps/deployment"
	"k8s.io/kubernetes/pkg/registry/apps/replicaset"
	"k8s.io/kubernetes/pkg/registry/apps/statefulset"
	"k8s.io/kubernetes/pkg/registry/autoscaling/horizontalpodautoscaler"
	"k8s.io/kubernetes/pkg/registry/batch/cronjob"
	"k8s.io/kubernetes/pkg/registry/batch/job"
	"k8s.io/kubernetes/pkg/registry/certificates/certificates"
	"k8s.io/kubernetes/pkg/registry/coordination/lease"
	"k8s.io/kubernetes/pkg/registry/core/configmap"
	"k8s.io/kubernetes/pkg/registry/core/endpoint"
	"k8s.io/kubernetes/pkg/registry/core/event"
	"k8s.io/kubernetes/pkg/registry/core/limitrange"
	"k8s.io/kubernetes/pkg/registry/core/namespace"
	"k8s.io/kubernetes/pkg/registry/core/node"
	"k8s.io/kubernetes/pkg/registry/core/persistentvolume"
	"k8s.io/kubernetes/pkg/registry/core/persistentvolumeclaim"
	"k8s.io/kubernetes/pkg/registry/core/pod"
	"k8s.io/kubernetes/pkg/registry/core/podtemplate"
	"k8s.io/kubernetes/pkg/registry/core/replicationcontroller"
	"k8s.io/kubernetes/pkg/registry/core/resourcequota"
	"k8s.io/kubernetes/pkg/registry/core/secret"
	"k8s.io/kubernetes/pkg/registry/core/service"
	"k8s.io/kubernetes/pkg/registry/core/serviceaccount"
	"k8s.io/kubernetes/pkg/registry/discovery/endpointslice"
	"k8s.io/kubernetes/pkg/registry/flowcontrol/flowschema"
	"k8s.io/kubernetes/pkg/registry/flowcontrol/prioritylevelconfiguration"
	"k8s.io/kubernetes/pkg/registry/networking/ingress"
	"k8s.io/kubernetes/pkg/registry/networking/ingressclass"
	"k8s.io/kubernetes/pkg/registry/networking/ipaddress"
	"k8s.io/kubernetes/pkg/registry/networking/networkpolicy"
	"k8s.io/kubernetes/pkg/registry/networking/servicecidr"
	"k8s.io/kubernetes/pkg/registry/node/runtimeclass"
	"k8s.io/kubernetes/pkg/registry/policy/poddisruptionbudget"
	"k8s.io/kubernetes/pkg/registry/rbac/clusterrole"
	"k8s.io/kubernetes/pkg/registry/rbac/clusterrolebinding"
	"k8s.io/kubernetes/pkg/registry/rbac/role"
	"k8s.io/kubernetes/pkg/registry/rbac/rolebinding"
	"k8s.io/kubernetes/pkg/registry/resource/deviceclass"
	"k8s.io/kubernetes/pkg/registry/resource/resourceclaim"
	"k8s.io/kubernetes/pkg/registry/resource/resourceclaimtemplate"
	"k8s.io/kubernetes/pkg/registry/resource/resourceslice"
	"k8s.io/kubernetes/pkg/registry/scheduling/priorityclass"
	"k8s.io/kubernetes/pkg/registry/storage/csidriver"
	"k8s.io/kubernetes/pkg/registry/storage/csinode"
	"k8s.io/kubernetes/pkg/registry/storage/csistoragecapacity"
	"k8s.io/kubernetes/pkg/registry/storage/storageclass"
	"k8s.io/kubernetes/pkg/registry/storage/volumeattachment"
	"k8s.io/kubernetes/pkg/registry/storage/volumeattributesclass"
)

// kind is one resource with the strategies of its ways in; the object's own is "".
type kind struct {
	create  rest.RESTCreateStrategy
	updates map[string]rest.RESTUpdateStrategy
	codecs  serializer.CodecFactory
	scheme  *runtime.Scheme
	table   rest.TableConvertor
}

type both interface {
	rest.RESTCreateStrategy
	rest.RESTUpdateStrategy
}

// plainly: the server prints it without columns of its own, although there is a printer.
func plainly(k kind) kind {
	k.table = rest.NewDefaultTableConvertor(schema.GroupResource{})
	return k
}

// of makes a kind of the main scheme; views follow by name.
func of(strategy both, views ...any) kind {
	k := kind{create: strategy, updates: map[string]rest.RESTUpdateStrategy{"": strategy}, codecs: legacyscheme.Codecs, scheme: legacyscheme.Scheme}
	for i := 0; i < len(views); i += 2 {
		k.updates[views[i].(string)] = views[i+1].(rest.RESTUpdateStrategy)
	}
	return k
}

type everything struct{}

// resources are never looked up: strategies without an authorizer only ask that there is a resolver.
type resources struct{}

func (resources) Resolve(gvk schema.GroupVersionKind) (schema.GroupVersionResource, error) {
	return schema.GroupVersionResource{}, fmt.Errorf("no resource for %v", gvk)
}

func (everything) Authorize(context.Context, authorizer.Attributes) (authorizer.Decision, string, error) {
	return authorizer.DecisionAllow, "", nil
}

// Two namespaces, of which one is open for administrators of devices.
var namespaces = fake.NewClientset(
	&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "default"}},
	&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "admins", Labels: map[string]string{"resource.kubernetes.io/admin-access": "true"}}},
).CoreV1().Namespaces()

func kindOfClaims() kind {
	strategy := resourceclaim.NewStrategy(namespaces, everything{})
	return of(strategy, "status", resourceclaim.NewStatusStrategy(strategy))
}

func kindOfPolicies() kind {
	strategy := validatingadmissionpolicy.NewStrategy(everything{}, nil)
	return of(strategy, "status", validatingadmissionpolicy.NewStatusStrategy(strategy))
}

func kindOfDefinitions() kind {
	k := of(customresourcedefinition.NewStrategy(apiextensions.Scheme), "status", customresourcedefinition.NewStatusStrategy(apiextensions.Scheme))
	k.codecs, k.scheme = apiextensions.Codecs, apiextensions.Scheme
	k.table = rest.NewDefaultTableConvertor(apiextensionsResource)
	return k
}

func kindOfServices() kind {
	k := of(apiservice.NewStrategy(apiregistration.Scheme).(both), "status", apiservice.NewStatusStrategy(apiregistration.Scheme))
	k.codecs, k.scheme = apiregistration.Codecs, apiregistration.Scheme
	k.table = &apiserviceetcd.REST{}
	return k
}

var apiextensionsResource = schema.GroupResource{Group: "apiextensions.k8s.io", Resource: "customresourcedefinitions"}

var kinds = map[string]kind{
	"/configmaps":             of(configmap.Strategy),
	"/endpoints":              of(endpoint.Strategy),
	"/events":                 of(event.Strategy),
	"events.k8s.io/events":    of(event.Strategy),
	"/limitranges":            of(limitrange.Strategy),
	"/namespaces":             of(namespace.Strategy, "status", namespace.StatusStrategy, "finalize", namespace.FinalizeStrategy),
	"/nodes":                  of(node.Strategy, "status", node.StatusStrategy),
	"/persistentvolumeclaims": of(persistentvolumeclaim.Strategy, "status", persistentvolumeclaim.StatusStrategy),
	"/persistentvolumes":      of(persistentvolume.Strategy, "status", persistentvolume.StatusStrategy),
	"/pods":                   of(pod.Strategy, "status", pod.StatusStrategy, "ephemeralcontainers", pod.EphemeralContainersStrategy, "resize", pod.ResizeStrategy),
	"/podtemplates":           of(podtemplate.Strategy),
	"/replicationcontrollers": of(replicationcontroller.Strategy, "status", replicationcontroller.StatusStrategy),
	"/resourcequotas":         of(resourcequota.Strategy, "status", resourcequota.StatusStrategy),
	"/secrets":                of(secret.Strategy),
	"/serviceaccounts":        of(serviceaccount.Strategy),
	"/services":               of(service.Strategy, "status", service.StatusStrategy),

	"admissionregistration.k8s.io/mutatingadmissionpolicies":         of(mutatingadmissionpolicy.NewStrategy(everything{}, nil)),
	"admissionregistration.k8s.io/mutatingadmissionpolicybindings":   of(mutatingadmissionpolicybinding.NewStrategy(nil, nil, resources{})),
	"admissionregistration.k8s.io/mutatingwebhookconfigurations":     of(mutatingwebhookconfiguration.Strategy),
	"admissionregistration.k8s.io/validatingadmissionpolicies":       kindOfPolicies(),
	"admissionregistration.k8s.io/validatingadmissionpolicybindings": of(validatingadmissionpolicybinding.NewStrategy(nil, nil, resources{})),
	"admissionregistration.k8s.io/validatingwebhookconfigurations":   of(validatingwebhookconfiguration.Strategy),
	"apiextensions.k8s.io/customresourcedefinitions":                 kindOfDefinitions(),
	"apiregistration.k8s.io/apiservices":                             kindOfServices(),

	"apps/controllerrevisions":             of(controllerrevision.Strategy),
	"apps/daemonsets":                      of(daemonset.Strategy, "status", daemonset.StatusStrategy),
	"apps/deployments":                     of(deployment.Strategy, "status", deployment.StatusStrategy),
	"apps/replicasets":                     of(replicaset.Strategy, "status", replicaset.StatusStrategy),
	"apps/statefulsets":                    of(statefulset.Strategy, "status", statefulset.StatusStrategy),
	"autoscaling/horizontalpodautoscalers": of(horizontalpodautoscaler.Strategy, "status", horizontalpodautoscaler.StatusStrategy),
	"batch/cronjobs":                       of(cronjob.Strategy, "status", cronjob.StatusStrategy),
	"batch/jobs":                           of(job.Strategy, "status", job.StatusStrategy),

	"certificates.k8s.io/certificatesigningrequests":           of(certificates.Strategy, "status", certificates.StatusStrategy, "approval", certificates.ApprovalStrategy),
	"coordination.k8s.io/leases":                               of(lease.Strategy),
	"discovery.k8s.io/endpointslices":                          of(endpointslice.Strategy),
	"flowcontrol.apiserver.k8s.io/flowschemas":                 of(flowschema.Strategy, "status", flowschema.StatusStrategy),
	"flowcontrol.apiserver.k8s.io/prioritylevelconfigurations": of(prioritylevelconfiguration.Strategy, "status", prioritylevelconfiguration.StatusStrategy),
	"networking.k8s.io/ingressclasses":                         of(ingressclass.Strategy),
	"networking.k8s.io/ingresses":                              of(ingress.Strategy, "status", ingress.StatusStrategy),
	"networking.k8s.io/ipaddresses":                            of(ipaddress.Strategy),
	"networking.k8s.io/networkpolicies":                        of(networkpolicy.Strategy),
	"networking.k8s.io/servicecidrs":                           of(servicecidr.Strategy, "status", servicecidr.StatusStrategy),
	"node.k8s.io/runtimeclasses":                               of(runtimeclass.Strategy),
	"policy/poddisruptionbudgets":                              of(poddisruptionbudget.Strategy, "status", poddisruptionbudget.StatusStrategy),
	"rbac.authorization.k8s.io/clusterrolebindings":            of(clusterrolebinding.Strategy),
	"rbac.authorization.k8s.io/clusterroles":                   of(clusterrole.Strategy),
	"rbac.authorization.k8s.io/rolebindings":                   of(rolebinding.Strategy),
	"rbac.authorization.k8s.io/roles":                          of(role.Strategy),
	"resource.k8s.io/deviceclasses":                            of(deviceclass.Strategy),
	"resource.k8s.io/resourceclaims":                           kindOfClaims(),
	"resource.k8s.io/resourceclaimtemplates":                   of(resourceclaimtemplate.NewStrategy(namespaces)),
	"resource.k8s.io/resourceslices":                           of(resourceslice.Strategy),
	"scheduling.k8s.io/priorityclasses":                        of(priorityclass.Strategy),
	"storage.k8s.io/csidrivers":                                of(csidriver.Strategy),
	"storage.k8s.io/csinodes":                                  of(csinode.Strategy),
	"storage.k8s.io/csistoragecapacities":                      plainly(of(csistoragecapacity.Strategy)),
	"storage.k8s.io/storageclasses":                            of(storageclass.Strategy),
	"storage.k8s.io/volumeattachments":                         of(volumeattachment.Strategy, "status", volumeattachment.StatusStrategy),
	"storage.k8s.io/volumeattributesclasses":                   of(volumeattributesclass.Strategy),
}
