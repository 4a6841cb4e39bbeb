import type { KubernetesObject } from "@coxswain/apimachinery/meta";

type Verbs = readonly string[];
interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: Verbs;
}

const rule = (group: string, resources: readonly string[], ...verbs: string[]): Rule => ({
  apiGroups: [group],
  resources,
  verbs: verbs.sort(),
});
const events: Rule = { ...rule("", ["events"], "create", "patch", "update"), apiGroups: ["", "events.k8s.io"] };
const certificates = "certificates.k8s.io";
const devices = "resource.k8s.io";
const storageVersions = "internal.apiserver.k8s.io";

/** Controllers whose roles upstream makes only where gates are on; its test data, from which the rest of the policy comes, has them off. */
const controllers: readonly {
  readonly gates: readonly string[];
  readonly name: string;
  readonly rules: readonly Rule[];
}[] = [
  {
    gates: ["DRAResourcePoolStatus"],
    name: "resourcepoolstatusrequest-controller",
    rules: [
      rule(devices, ["resourcepoolstatusrequests"], "get", "list", "watch", "delete"),
      rule(devices, ["resourcepoolstatusrequests/status"], "update", "patch"),
      rule(devices, ["resourceslices"], "get", "list", "watch"),
      rule(devices, ["resourceclaims"], "get", "list", "watch"),
      events,
    ],
  },
  {
    gates: ["PodCertificateRequest"],
    name: "podcertificaterequestcleaner",
    rules: [rule(certificates, ["podcertificaterequests"], "get", "list", "watch", "delete")],
  },
  {
    gates: ["GenericWorkload"],
    name: "podgroup-protection-controller",
    rules: [
      rule("scheduling.k8s.io", ["podgroups"], "get", "list", "watch", "update"),
      rule("", ["pods"], "get", "list", "watch"),
    ],
  },
  {
    gates: ["ClusterTrustBundle"],
    name: "kube-apiserver-serving-clustertrustbundle-publisher",
    rules: [
      { ...rule(certificates, ["signers"], "attest"), resourceNames: ["kubernetes.io/kube-apiserver-serving"] },
      rule(certificates, ["clustertrustbundles"], "create", "update", "delete", "list", "watch"),
      events,
    ],
  },
  {
    gates: ["StorageVersionAPI", "APIServerIdentity"],
    name: "storage-version-garbage-collector",
    rules: [
      rule("coordination.k8s.io", ["leases"], "get", "list", "watch"),
      rule(storageVersions, ["storageversions"], "get", "list", "watch", "patch", "update", "delete"),
      rule(storageVersions, ["storageversions/status"], "get", "patch", "update"),
    ],
  },
  {
    gates: ["StorageVersionMigrator"],
    name: "storage-version-migrator-controller",
    rules: [
      // An apply to an object that was deleted is a create, which fails for its UID.
      rule("*", ["*"], "list", "create", "patch"),
      rule("apiextensions.k8s.io", ["customresourcedefinitions"], "get"),
      rule("apiextensions.k8s.io", ["customresourcedefinitions/status"], "patch"),
      rule("storagemigration.k8s.io", ["storageversionmigrations/status"], "update"),
    ],
  },
];

/** Roles and bindings beside those that every cluster begins with. */
export const gatedPolicy = (gates: { enabled(gate: string): boolean }): KubernetesObject[] =>
  controllers
    .filter(({ gates: needed }) => needed.every((gate) => gates.enabled(gate)))
    .flatMap(({ name, rules }): KubernetesObject[] => {
      const apiVersion = "rbac.authorization.k8s.io/v1";
      const metadata = {
        annotations: { "rbac.authorization.kubernetes.io/autoupdate": "true" },
        labels: { "kubernetes.io/bootstrapping": "rbac-defaults" },
        name: `system:controller:${name}`,
      };
      const role = { apiVersion, kind: "ClusterRole", metadata, rules };
      const binding = {
        apiVersion,
        kind: "ClusterRoleBinding",
        metadata,
        roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: metadata.name },
        subjects: [{ kind: "ServiceAccount", name, namespace: "kube-system" }],
      };
      return [role, binding] as KubernetesObject[];
    });
