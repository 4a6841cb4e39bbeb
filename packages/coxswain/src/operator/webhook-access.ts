import type { Service } from "@coxswain/api/core/v1";
import type { ClusterRole, ClusterRoleBinding, Role, RoleBinding, Subject } from "@coxswain/api/rbac/v1";
import type { GeneratedWebhooks, WebhookService } from "@coxswain/operator/manifests";
import type { ObjectNames } from "./object-names.js";

const rbac = "rbac.authorization.k8s.io";

/** The Service in front of the webhook server of a project's operator. */
export const webhookServiceOf = ({ name, namespace }: WebhookService, project: string): Service => ({
  apiVersion: "v1",
  kind: "Service",
  metadata: { name, namespace, labels: { "app.kubernetes.io/name": project } },
  spec: {
    ports: [{ port: 443, protocol: "TCP", targetPort: 9443 }],
    selector: { "app.kubernetes.io/name": project, "control-plane": "controller-manager" },
  },
});

/** What an operator may do that makes its certificates itself: keep them in one Secret, and put their authority where API servers look for it. */
export function certificateRoles(
  { mutating, validating, conversions }: GeneratedWebhooks,
  names: ObjectNames,
): (Role | RoleBinding | ClusterRole | ClusterRoleBinding)[] {
  const name = names.named("webhook-certificates-role");
  const binding = names.named("webhook-certificates-rolebinding");
  const { namespace } = names;
  const subjects: Subject[] = [{ kind: "ServiceAccount", name: names.serviceAccount, namespace }];
  const verbs = ["get", "update"];
  const definitions = [...new Set(conversions.map(({ kind }) => `${kind.names.plural}.${kind.group}`))].sort();
  const injected = [
    ["admissionregistration.k8s.io", "mutatingwebhookconfigurations", mutating ? [names.mutatingWebhooks] : []],
    ["admissionregistration.k8s.io", "validatingwebhookconfigurations", validating ? [names.validatingWebhooks] : []],
    ["apiextensions.k8s.io", "customresourcedefinitions", definitions],
  ] as const;
  return [
    {
      apiVersion: `${rbac}/v1`,
      kind: "Role",
      metadata: { name, namespace },
      rules: [
        // A rule for creation cannot name the object.
        { apiGroups: [""], resources: ["secrets"], verbs: ["create"] },
        { apiGroups: [""], resources: ["secrets"], resourceNames: [names.webhookSecret], verbs },
      ],
    },
    {
      apiVersion: `${rbac}/v1`,
      kind: "RoleBinding",
      metadata: { name: binding, namespace },
      roleRef: { apiGroup: rbac, kind: "Role", name },
      subjects,
    },
    {
      apiVersion: `${rbac}/v1`,
      kind: "ClusterRole",
      metadata: { name },
      rules: injected.flatMap(([group, resource, resourceNames]) =>
        resourceNames.length === 0
          ? []
          : [{ apiGroups: [group], resources: [resource], resourceNames: [...resourceNames], verbs }],
      ),
    },
    {
      apiVersion: `${rbac}/v1`,
      kind: "ClusterRoleBinding",
      metadata: { name: binding },
      roleRef: { apiGroup: rbac, kind: "ClusterRole", name },
      subjects,
    },
  ];
}
