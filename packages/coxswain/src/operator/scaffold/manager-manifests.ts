import type { PlannedFile } from "../../project/write-files.js";
import { objectNames } from "../object-names.js";

/** The image that nobody has named yet, as kubebuilder calls it. */
export const placeholderImage = "controller:latest";

/** The Deployment of an operator and what it may do beside its own role: kubebuilder's, with the names in full. The user's to change. */
export const managerManifests = (project: string): PlannedFile[] => [
  { path: "config/manager/manager.yaml", text: managerText(project) },
  { path: "config/rbac/manager.yaml", text: rbacText(project) },
];

function managerText(project: string): string {
  const { namespace, serviceAccount, named } = objectNames(project);
  return `apiVersion: v1
kind: Namespace
metadata:
  name: ${namespace}
  labels:
    app.kubernetes.io/name: ${project}
    control-plane: controller-manager
---
apiVersion: v1
kind: ServiceAccount
metadata:
  name: ${serviceAccount}
  namespace: ${namespace}
  labels:
    app.kubernetes.io/name: ${project}
---
${deploymentText(project)}---
apiVersion: v1
kind: Service
metadata:
  name: ${named("controller-manager-metrics-service")}
  namespace: ${namespace}
  labels:
    app.kubernetes.io/name: ${project}
    control-plane: controller-manager
spec:
  ports:
    - name: https
      port: 8443
      targetPort: 8443
  selector:
    app.kubernetes.io/name: ${project}
    control-plane: controller-manager
`;
}

function deploymentText(project: string): string {
  const { namespace, serviceAccount, deployment } = objectNames(project);
  return `apiVersion: apps/v1
kind: Deployment
metadata:
  name: ${deployment}
  namespace: ${namespace}
  labels:
    app.kubernetes.io/name: ${project}
    control-plane: controller-manager
spec:
  replicas: 1
  selector:
    matchLabels:
      app.kubernetes.io/name: ${project}
      control-plane: controller-manager
  template:
    metadata:
      annotations:
        kubectl.kubernetes.io/default-container: manager
      labels:
        app.kubernetes.io/name: ${project}
        control-plane: controller-manager
    spec:
      serviceAccountName: ${serviceAccount}
      terminationGracePeriodSeconds: 30
      securityContext:
        runAsNonRoot: true
        seccompProfile:
          type: RuntimeDefault
      containers:
        - name: manager
          image: ${placeholderImage}
          args:
            - --leader-elect
            - --health-probe-bind-address=:8081
            - --metrics-bind-address=:8443
          ports:
            - name: health
              containerPort: 8081
            - name: metrics
              containerPort: 8443
          livenessProbe:
            httpGet:
              path: /healthz
              port: 8081
            initialDelaySeconds: 15
            periodSeconds: 20
          readinessProbe:
            httpGet:
              path: /readyz
              port: 8081
            initialDelaySeconds: 5
            periodSeconds: 10
          securityContext:
            readOnlyRootFilesystem: true
            allowPrivilegeEscalation: false
            capabilities:
              drop:
                - ALL
          resources:
            limits:
              cpu: 500m
              memory: 256Mi
            requests:
              cpu: 10m
              memory: 96Mi
`;
}

function rbacText(project: string): string {
  const { namespace, serviceAccount, managerRole, named } = objectNames(project);
  const toServiceAccount = `subjects:
  - kind: ServiceAccount
    name: ${serviceAccount}
    namespace: ${namespace}
`;
  return `# What @rbac markers ask for is in role.yaml.
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  name: ${named("manager-rolebinding")}
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: ClusterRole
  name: ${managerRole}
${toServiceAccount}---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  name: ${named("leader-election-role")}
  namespace: ${namespace}
rules:
  - apiGroups: [coordination.k8s.io]
    resources: [leases]
    verbs: [get, list, watch, create, update, patch, delete]
  - apiGroups: [""]
    resources: [events]
    verbs: [create, patch]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata:
  name: ${named("leader-election-rolebinding")}
  namespace: ${namespace}
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: Role
  name: ${named("leader-election-role")}
${toServiceAccount}---
# The metrics endpoint asks the API server who a client is and whether it may read /metrics.
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: ${named("metrics-auth-role")}
rules:
  - apiGroups: [authentication.k8s.io]
    resources: [tokenreviews]
    verbs: [create]
  - apiGroups: [authorization.k8s.io]
    resources: [subjectaccessreviews]
    verbs: [create]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  name: ${named("metrics-auth-rolebinding")}
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: ClusterRole
  name: ${named("metrics-auth-role")}
${toServiceAccount}---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: ${named("metrics-reader")}
rules:
  - nonResourceURLs: [/metrics]
    verbs: [get]
`;
}
