import { describe, expect, it } from "vitest";
import { type PartName, userOfPart } from "./part-users.js";

const cases: { name: string; part: PartName; user: string; groups: string[] | undefined }[] = [
  {
    name: "a node of the cluster is itself",
    part: "nodes",
    user: "system:node:node-1",
    groups: ["system:nodes", "system:authenticated"],
  },
  { name: "a node that is not there is nobody", part: "nodes", user: "system:node:other", groups: undefined },
  {
    name: "the cache of all nodes",
    part: "nodes",
    user: "system:coxswain:simulated-nodes",
    groups: ["system:masters", "system:authenticated"],
  },
  { name: "nodes are no scheduler", part: "nodes", user: "system:kube-scheduler", groups: undefined },
  { name: "nodes are no administrator", part: "nodes", user: "kubernetes-admin", groups: undefined },
  {
    name: "the scheduler is itself",
    part: "control",
    user: "system:kube-scheduler",
    groups: ["system:authenticated"],
  },
  {
    name: "a controller is its service account",
    part: "control",
    user: "system:serviceaccount:kube-system:job-controller",
    groups: ["system:serviceaccounts", "system:serviceaccounts:kube-system", "system:authenticated"],
  },
  {
    name: "an account of another namespace is nobody",
    part: "control",
    user: "system:serviceaccount:default:job-controller",
    groups: undefined,
  },
  {
    name: "an account needs a name",
    part: "control",
    user: "system:serviceaccount:kube-system:",
    groups: undefined,
  },
  { name: "controllers are no node", part: "control", user: "system:node:node-1", groups: undefined },
  { name: "controllers are no administrator", part: "control", user: "kubernetes-admin", groups: undefined },
];

describe("the users of a part", () => {
  for (const { name, part, user, groups } of cases)
    it(name, () => {
      const found = userOfPart(part, user, (node) => node === "node-1");
      expect(found).toEqual(groups && { name: user, groups });
    });
});
