import { describe, expect, it } from "vitest";
import { unmetRules, whatIsShort } from "./misfits.js";

const node = {
  metadata: { name: "node-0", labels: { disk: "ssd", zone: "a", size: "5" } },
  spec: { taints: [{ key: "gpu", value: "yes", effect: "NoSchedule" }] },
  status: { allocatable: { cpu: "4", memory: "8Gi", pods: "2" } },
};
const gpu = { key: "gpu", operator: "Exists" };
const drawnTo = (key: string, operator: string, ...values: string[]) => ({
  tolerations: [gpu],
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{ matchExpressions: [{ key, operator, values }] }],
      },
    },
  },
});
const drawn = ["its labels are not those of the pod's node affinity"];

const rules: readonly { name: string; spec: object; reasons: string[] }[] = [
  { name: "a taint", spec: {}, reasons: ["its taint gpu=yes:NoSchedule is not tolerated"] },
  { name: "a taint that is tolerated", spec: { tolerations: [gpu] }, reasons: [] },
  {
    name: "a taint of another value than the one that is tolerated",
    spec: { tolerations: [{ key: "gpu", value: "no" }] },
    reasons: ["its taint gpu=yes:NoSchedule is not tolerated"],
  },
  { name: "every taint is tolerated by no key", spec: { tolerations: [{ operator: "Exists" }] }, reasons: [] },
  {
    name: "a label that is not there",
    spec: { tolerations: [gpu], nodeSelector: { disk: "hdd", zone: "a" } },
    reasons: ["it has no label disk=hdd"],
  },
  { name: "affinity: in", spec: drawnTo("zone", "In", "a", "b"), reasons: [] },
  { name: "affinity: not in", spec: drawnTo("zone", "NotIn", "a"), reasons: drawn },
  { name: "affinity: exists", spec: drawnTo("rack", "Exists"), reasons: drawn },
  { name: "affinity: does not exist", spec: drawnTo("rack", "DoesNotExist"), reasons: [] },
  { name: "affinity: greater", spec: drawnTo("size", "Gt", "5"), reasons: drawn },
  { name: "affinity: less", spec: drawnTo("size", "Lt", "6"), reasons: [] },
];

const asking = (cpu: string, more: object = {}) => ({
  spec: { containers: [{ resources: { requests: { cpu } } }], ...more },
});

const amounts: readonly { name: string; pod: object; there?: object[]; short: string[] }[] = [
  { name: "what is asked for is free", pod: asking("3"), there: [asking("1")], short: [] },
  { name: "others have it", pod: asking("3"), there: [asking("2")], short: ["cpu: 3 wanted, 2 of 4 free"] },
  {
    name: "no place for one more pod",
    pod: asking("0"),
    there: [asking("0"), asking("0")],
    short: ["pods: 1 wanted, 0 of 2 free"],
  },
  {
    name: "a resource that the node does not have",
    pod: { spec: { containers: [{ resources: { requests: { "example.org/gpu": "1" } } }] } },
    short: ["example.org/gpu: 1 wanted, 0 of 0 free"],
  },
  {
    name: "the largest of those that run before",
    pod: asking("1", { initContainers: [{ resources: { requests: { cpu: "5" } } }] }),
    short: ["cpu: 5 wanted, 4 of 4 free"],
  },
  {
    name: "the pod's own overhead",
    pod: asking("4", { overhead: { cpu: "500m" } }),
    short: ["cpu: 4.5 wanted, 4 of 4 free"],
  },
];

describe("why a pod does not fit on a node", () => {
  for (const { name, spec, reasons } of rules) it(name, () => expect(unmetRules({ spec }, node)).toEqual(reasons));
  it("a node that is cordoned", () =>
    expect(unmetRules({ spec: {} }, { spec: { unschedulable: true } })).toEqual([
      "its taint node.kubernetes.io/unschedulable:NoSchedule is not tolerated",
    ]));
  for (const { name, pod, there = [], short } of amounts)
    it(name, () => expect(whatIsShort(pod, node, there)).toEqual(short));
});
