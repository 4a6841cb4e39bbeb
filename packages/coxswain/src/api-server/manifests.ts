import type { PlannedFile } from "../project/write-files.js";
import { serverNames } from "./object-names.js";

/** The image that nobody has named yet. */
export const placeholderImage = "apiserver:latest";

/** What a server consists of in a cluster, and what it may do there. The user's to change. */
export const serverManifests = (project: string): PlannedFile[] => [
  { path: "config/server.yaml", text: [...head(project), deployment(project)].join("---\n") },
  { path: "config/rbac.yaml", text: rbac(project) },
];

function head(project: string): string[] {
  const { namespace, server } = serverNames(project);
  const metadata = (name: string): string => `metadata:
  name: ${name}
  namespace: ${namespace}
  labels: {app.kubernetes.io/name: ${project}}
`;
  return [
    `apiVersion: v1
kind: Namespace
metadata:
  name: ${namespace}
  labels: {app.kubernetes.io/name: ${project}}
`,
    `apiVersion: v1
kind: ServiceAccount
${metadata(server)}`,
    `apiVersion: v1
kind: Service
${metadata(server)}spec:
  selector: {app.kubernetes.io/name: ${project}}
  ports:
    - {name: https, port: 443, targetPort: https}
`,
    `# Where the objects are. "--etcd-servers" keeps them in an etcd cluster instead, and allows several replicas.
apiVersion: v1
kind: PersistentVolumeClaim
${metadata(server)}spec:
  accessModes: [ReadWriteOnce]
  resources: {requests: {storage: 1Gi}}
`,
  ];
}

function deployment(project: string): string {
  const { namespace, server, certificate } = serverNames(project);
  return `apiVersion: apps/v1
kind: Deployment
metadata:
  name: ${server}
  namespace: ${namespace}
  labels: {app.kubernetes.io/name: ${project}}
spec:
  replicas: 1
  # One process has the store.
  strategy: {type: Recreate}
  selector:
    matchLabels: {app.kubernetes.io/name: ${project}}
  template:
    metadata:
      labels: {app.kubernetes.io/name: ${project}}
    spec:
      serviceAccountName: ${server}
      securityContext:
        runAsNonRoot: true
        runAsUser: 65532
        fsGroup: 65532
        seccompProfile: {type: RuntimeDefault}
      containers:
        - name: apiserver
          image: ${placeholderImage}
          args:
            - --secure-port=8443
            - --data-dir=/data
            - --tls-cert-file=/certificates/tls.crt
            - --tls-private-key-file=/certificates/tls.key
          ports:
            - {name: https, containerPort: 8443}
          readinessProbe:
            httpGet: {path: /readyz, port: https, scheme: HTTPS}
          livenessProbe:
            httpGet: {path: /livez, port: https, scheme: HTTPS}
            initialDelaySeconds: 10
          securityContext:
            allowPrivilegeEscalation: false
            readOnlyRootFilesystem: true
            capabilities: {drop: [ALL]}
          volumeMounts:
            - {name: data, mountPath: /data}
            - {name: certificates, mountPath: /certificates, readOnly: true}
      volumes:
        - name: data
          persistentVolumeClaim: {claimName: ${server}}
        - name: certificates
          secret: {secretName: ${certificate}}
`;
}

function rbac(project: string): string {
  const { namespace, server } = serverNames(project);
  const toServer = `subjects:
  - {kind: ServiceAccount, name: ${server}, namespace: ${namespace}}
`;
  return `# The cluster's API server is asked who a client is, and what it may do.
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  name: ${project}:auth-delegator
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: system:auth-delegator}
${toServer}---
# Authorities of clients, and of the API server in front.
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata:
  name: ${project}:authentication-reader
  namespace: kube-system
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: extension-apiserver-authentication-reader}
${toServer}---
# Nothing is created in a namespace that is not there.
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: ${project}:namespaces
rules:
  - {apiGroups: [""], resources: [namespaces], verbs: [get, list, watch]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  name: ${project}:namespaces
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: "${project}:namespaces"}
${toServer}`;
}
