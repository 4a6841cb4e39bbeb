/** An object of every kind that can be created and stored, harmless to a cluster. Namespaced ones go where kubectl is pointed. */
const podSpec = {
  containers: [
    { name: "main", image: "registry.example/app:1", resources: { requests: { cpu: "10m", memory: "16Mi" } } },
  ],
};
const labels = { app: "kinds" };
const template = { metadata: { labels }, spec: podSpec };
const selector = { matchLabels: labels };
const neverMatches = { matchLabels: { app: "nobody" } };
const webhook = {
  name: "hook.example.com",
  clientConfig: { url: "https://127.0.0.1:1/x" },
  sideEffects: "None",
  admissionReviewVersions: ["v1"],
  failurePolicy: "Ignore",
  objectSelector: neverMatches,
  rules: [{ apiGroups: ["example.com"], apiVersions: ["v1"], operations: ["CREATE"], resources: ["things"] }],
};
const matchConstraints = {
  resourceRules: [{ apiGroups: ["example.com"], apiVersions: ["v1"], operations: ["CREATE"], resources: ["things"] }],
};

const object = (apiVersion: string, kind: string, body: object = {}, metadata: object = {}): object => ({
  apiVersion,
  kind,
  metadata: { name: "every", labels: { set: "every" }, ...metadata },
  ...body,
});

export const namespacedKinds: readonly object[] = [
  object("v1", "ConfigMap", { data: { key: "value" } }),
  object("v1", "Secret", { stringData: { key: "value" } }),
  object("v1", "Pod", { spec: podSpec }),
  object("v1", "PodTemplate", { template }),
  object("v1", "ReplicationController", { spec: { replicas: 0, selector: labels, template } }),
  object("v1", "Service", { spec: { selector: labels, ports: [{ port: 80, targetPort: 8080 }] } }),
  object(
    "v1",
    "Endpoints",
    { subsets: [{ addresses: [{ ip: "192.0.2.1" }], ports: [{ port: 80 }] }] },
    { name: "every-endpoints", labels: { set: "every", "endpointslice.kubernetes.io/skip-mirror": "true" } },
  ),
  object("v1", "LimitRange", { spec: { limits: [{ type: "Container", max: { cpu: "64" } }] } }),
  object("v1", "ResourceQuota", { spec: { hard: { "count/widgets.example.com": "5" } } }),
  object("v1", "ServiceAccount"),
  object("v1", "PersistentVolumeClaim", {
    spec: { accessModes: ["ReadWriteOnce"], storageClassName: "none", resources: { requests: { storage: "1Gi" } } },
  }),
  object(
    "v1",
    "Event",
    {
      involvedObject: { apiVersion: "v1", kind: "Pod", name: "every", namespace: "scene" },
      reason: "Tested",
      message: "an event",
      type: "Normal",
      source: { component: "test" },
      firstTimestamp: "2026-01-01T00:00:00Z",
      lastTimestamp: "2026-01-01T00:00:00Z",
      count: 1,
    },
    { name: "every-event" },
  ),
  object("apps/v1", "Deployment", { spec: { replicas: 0, selector, template } }),
  object("apps/v1", "ReplicaSet", {
    spec: {
      replicas: 0,
      selector: { matchLabels: { app: "kinds", direct: "yes" } },
      template: { metadata: { labels: { app: "kinds", direct: "yes" } }, spec: podSpec },
    },
  }),
  object("apps/v1", "StatefulSet", { spec: { replicas: 0, serviceName: "every", selector, template } }),
  object("apps/v1", "DaemonSet", {
    spec: { selector, template: { metadata: { labels }, spec: { ...podSpec, nodeSelector: { never: "matches" } } } },
  }),
  object("apps/v1", "ControllerRevision", { revision: 1, data: { a: "b" } }),
  object("batch/v1", "Job", { spec: { suspend: true, template: { spec: { ...podSpec, restartPolicy: "Never" } } } }),
  object("batch/v1", "CronJob", {
    spec: {
      schedule: "0 0 1 1 *",
      suspend: true,
      jobTemplate: { spec: { template: { spec: { ...podSpec, restartPolicy: "Never" } } } },
    },
  }),
  object("autoscaling/v2", "HorizontalPodAutoscaler", {
    spec: {
      scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "nobody" },
      maxReplicas: 3,
      metrics: [
        { type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 80 } } },
      ],
    },
  }),
  object("networking.k8s.io/v1", "Ingress", {
    spec: {
      rules: [
        {
          host: "shop.example",
          http: {
            paths: [{ path: "/", pathType: "Prefix", backend: { service: { name: "every", port: { number: 80 } } } }],
          },
        },
      ],
    },
  }),
  object("networking.k8s.io/v1", "NetworkPolicy", {
    spec: {
      podSelector: selector,
      policyTypes: ["Ingress"],
      ingress: [{ from: [{ podSelector: {} }], ports: [{ port: 80 }] }],
    },
  }),
  object("policy/v1", "PodDisruptionBudget", { spec: { minAvailable: 1, selector: neverMatches } }),
  object("rbac.authorization.k8s.io/v1", "Role", { rules: [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }] }),
  object("rbac.authorization.k8s.io/v1", "RoleBinding", {
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "every" },
    subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: "jane" }],
  }),
  object("storage.k8s.io/v1", "CSIStorageCapacity", { storageClassName: "every", capacity: "1Gi" }),
  object(
    "discovery.k8s.io/v1",
    "EndpointSlice",
    {
      addressType: "IPv4",
      endpoints: [{ addresses: ["192.0.2.7"], conditions: { ready: true } }],
      ports: [{ name: "web", port: 80 }],
    },
    { name: "every-slice" },
  ),
  object("coordination.k8s.io/v1", "Lease", { spec: { holderIdentity: "me", leaseDurationSeconds: 15 } }),
  object("resource.k8s.io/v1", "ResourceClaim", {
    spec: { devices: { requests: [{ name: "one", exactly: { deviceClassName: "every" } }] } },
  }),
  object("resource.k8s.io/v1", "ResourceClaimTemplate", {
    spec: { spec: { devices: { requests: [{ name: "one", exactly: { deviceClassName: "every" } }] } } },
  }),
];

export const clusterKinds: readonly object[] = [
  object("v1", "Namespace"),
  object("v1", "Node", { spec: { unschedulable: true } }),
  object("v1", "PersistentVolume", {
    spec: {
      capacity: { storage: "1Gi" },
      accessModes: ["ReadWriteOnce"],
      storageClassName: "other",
      hostPath: { path: "/tmp/every" },
    },
  }),
  object("rbac.authorization.k8s.io/v1", "ClusterRole", { rules: [{ nonResourceURLs: ["/healthz"], verbs: ["get"] }] }),
  object("rbac.authorization.k8s.io/v1", "ClusterRoleBinding", {
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "every" },
    subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "Group", name: "devs" }],
  }),
  object("scheduling.k8s.io/v1", "PriorityClass", { value: 10, description: "d" }),
  object("node.k8s.io/v1", "RuntimeClass", { handler: "fast" }),
  object("networking.k8s.io/v1", "IngressClass", { spec: { controller: "example.com/ingress" } }),
  object("networking.k8s.io/v1", "ServiceCIDR", { spec: { cidrs: ["10.96.0.0/28"] } }),
  object("storage.k8s.io/v1", "StorageClass", { provisioner: "example.com/disk" }),
  object("storage.k8s.io/v1", "CSIDriver", { spec: { attachRequired: false } }, { name: "every.example.com" }),
  object("storage.k8s.io/v1", "CSINode", { spec: { drivers: [{ name: "every.example.com", nodeID: "n" }] } }),
  object("storage.k8s.io/v1", "VolumeAttachment", {
    spec: { attacher: "every.example.com", nodeName: "every", source: { persistentVolumeName: "every" } },
  }),
  object("storage.k8s.io/v1", "VolumeAttributesClass", { driverName: "every.example.com", parameters: { iops: "1" } }),
  object("flowcontrol.apiserver.k8s.io/v1", "PriorityLevelConfiguration", {
    spec: { type: "Limited", limited: { nominalConcurrencyShares: 1, limitResponse: { type: "Reject" } } },
  }),
  object("flowcontrol.apiserver.k8s.io/v1", "FlowSchema", {
    spec: {
      priorityLevelConfiguration: { name: "every" },
      matchingPrecedence: 9000,
      rules: [
        {
          subjects: [{ kind: "User", user: { name: "nobody" } }],
          nonResourceRules: [{ verbs: ["get"], nonResourceURLs: ["/never"] }],
        },
      ],
    },
  }),
  object("admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration", { webhooks: [webhook] }),
  object("admissionregistration.k8s.io/v1", "MutatingWebhookConfiguration", { webhooks: [webhook] }),
  object("admissionregistration.k8s.io/v1", "ValidatingAdmissionPolicy", {
    spec: { matchConstraints, validations: [{ expression: "true" }] },
  }),
  object("admissionregistration.k8s.io/v1", "ValidatingAdmissionPolicyBinding", {
    spec: { policyName: "every", validationActions: ["Deny"] },
  }),
  object("admissionregistration.k8s.io/v1", "MutatingAdmissionPolicy", {
    spec: {
      matchConstraints,
      reinvocationPolicy: "Never",
      mutations: [
        {
          patchType: "JSONPatch",
          jsonPatch: { expression: '[JSONPatch{op: "add", path: "/metadata/labels/x", value: "y"}]' },
        },
      ],
    },
  }),
  object("admissionregistration.k8s.io/v1", "MutatingAdmissionPolicyBinding", { spec: { policyName: "every" } }),
  object("resource.k8s.io/v1", "DeviceClass", { spec: {} }),
  object("resource.k8s.io/v1", "ResourceSlice", {
    spec: {
      driver: "every.example.com",
      nodeName: "every",
      pool: { name: "p", generation: 1, resourceSliceCount: 1 },
      devices: [{ name: "d0" }],
    },
  }),
  object(
    "apiextensions.k8s.io/v1",
    "CustomResourceDefinition",
    {
      spec: {
        group: "example.com",
        scope: "Namespaced",
        names: { plural: "gadgets", singular: "gadget", kind: "Gadget", listKind: "GadgetList" },
        versions: [
          {
            name: "v1",
            served: true,
            storage: true,
            schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
          },
        ],
      },
    },
    { name: "gadgets.example.com" },
  ),
];

export const listOf = (items: readonly object[]): object => ({ apiVersion: "v1", kind: "List", items });
