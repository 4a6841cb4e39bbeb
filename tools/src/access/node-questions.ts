import { blankQuestion, type Question } from "./question.js";

/** By resource: names of objects around, and some that are not there. */
const asked: readonly {
  readonly group?: string;
  readonly resource: string;
  readonly subresources?: readonly string[];
  readonly namespaced?: boolean;
  readonly names: readonly string[];
}[] = [
  {
    resource: "secrets",
    namespaced: true,
    names: [
      "s-envfrom",
      "s-env",
      "s-init",
      "s-pull",
      "s-vol",
      "s-proj",
      "s-csi",
      "s-ceph",
      "s-two",
      "s-pv",
      "s-stage",
      "s-controller",
      "s-expand",
      "s-free",
      "later",
      "none",
    ],
  },
  { resource: "configmaps", namespaced: true, names: ["c-envfrom", "c-env", "c-vol", "c-proj", "none"] },
  {
    resource: "serviceaccounts",
    subresources: ["", "token"],
    namespaced: true,
    names: ["app", "app2", "later", "default"],
  },
  {
    resource: "persistentvolumeclaims",
    subresources: ["", "status"],
    namespaced: true,
    names: ["data", "data2", "volumes-g", "none"],
  },
  { resource: "persistentvolumes", subresources: ["", "status"], names: ["pv-data", "pv-data2", "pv-free", "pv-eph"] },
  {
    group: "resource.k8s.io",
    resource: "resourceclaims",
    subresources: ["", "status"],
    namespaced: true,
    names: ["claim-a", "claim-b", "none"],
  },
  { group: "resource.k8s.io", resource: "resourceslices", names: ["slice1", "slice2", "none"] },
  { group: "storage.k8s.io", resource: "volumeattachments", subresources: ["", "status"], names: ["va1", "va2"] },
  { group: "storage.k8s.io", resource: "csinodes", subresources: ["", "status"], names: ["n1", "n2"] },
  { group: "coordination.k8s.io", resource: "leases", namespaced: true, names: ["n1", "n2"] },
  { resource: "nodes", subresources: ["", "status", "proxy"], names: ["n1", "n2"] },
  {
    resource: "pods",
    subresources: ["", "status", "eviction", "binding"],
    namespaced: true,
    names: ["plain", "elsewhere", "waiting", "mirror", "none"],
  },
  { group: "certificates.k8s.io", resource: "certificatesigningrequests", names: ["x"] },
  { group: "certificates.k8s.io", resource: "podcertificaterequests", namespaced: true, names: ["x"] },
  { resource: "services", namespaced: true, names: ["x"] },
  { resource: "events", namespaced: true, names: ["x"] },
  { group: "node.k8s.io", resource: "runtimeclasses", names: ["x"] },
  { group: "storage.k8s.io", resource: "csidrivers", names: ["x"] },
  { group: "authorization.k8s.io", resource: "subjectaccessreviews", names: [] },
];

const verbs = ["get", "list", "watch", "create", "update", "patch", "delete", "deletecollection"];

/** Everything that a kubelet might ask for, on its own account and on its neighbour's. */
export function nodeQuestions(): Question[] {
  const questions: Question[] = [];
  for (const node of ["n1", "n2", "n3"]) {
    const who = { user: `system:node:${node}`, groups: ["system:nodes"] };
    for (const { group = "", resource, subresources = [""], namespaced = false, names } of asked) {
      const namespace = !namespaced ? "" : resource === "leases" ? "kube-node-lease" : "shop";
      for (const verb of verbs) {
        for (const subresource of subresources)
          for (const name of ["", ...names])
            questions.push({ ...blankQuestion, ...who, verb, group, resource, subresource, name, namespace });
        for (const fieldSelector of [
          "spec.nodeName=n1",
          "spec.nodeName==n2,metadata.name=x",
          "spec.nodeName!=n1",
          "metadata.name=plain",
        ])
          if (verb === "list" || verb === "watch" || verb === "deletecollection")
            questions.push({ ...blankQuestion, ...who, verb, group, resource, namespace, fieldSelector });
      }
    }
    for (const namespace of ["", "lab"])
      for (const resource of ["secrets", "configmaps", "leases"])
        questions.push({
          ...blankQuestion,
          ...who,
          verb: "get",
          group: resource === "leases" ? "coordination.k8s.io" : "",
          resource,
          name: "s-vol",
          namespace,
        });
    questions.push({ ...blankQuestion, ...who, verb: "get", path: "/healthz" });
  }
  for (const [user, groups] of [
    ["system:node:", ["system:nodes"]],
    ["system:node:n1", []],
    ["n1", ["system:nodes"]],
    ["system:node:n1", ["system:nodes", "system:masters"]],
  ] as const)
    questions.push({
      ...blankQuestion,
      user,
      groups,
      verb: "get",
      resource: "secrets",
      name: "s-vol",
      namespace: "shop",
    });
  return questions;
}
