import type { Node } from "@coxswain/api/core/v1";
import { describe, expect, it } from "vitest";
import { c, pod, sidecar } from "../pod/pod.test.support.js";
import { admitPod } from "./admit-pod.js";
import { createResourceLedger } from "./node-resources.js";
import { requestsOf } from "./pod-requests.js";

const node: Node = {
  metadata: { name: "n", labels: { zone: "a", cores: "8" } },
  status: { allocatable: { cpu: "2", memory: "1Gi", pods: "2", "example.com/gpu": "1" } },
};
const cpu = (amount: string) => c("a", { resources: { requests: { cpu: amount } } });
const port = (hostPort: number, hostIP?: string) =>
  c("a", { ports: [{ containerPort: 80, hostPort, ...(hostIP && { hostIP }) }] });
const affinity = (key: string, operator: string, values?: string[]) => ({
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{ matchExpressions: [{ key, operator, ...(values && { values }) }] }],
      },
    },
  },
});

const cases: {
  name: string;
  spec?: object;
  labels?: Record<string, string>;
  others?: object[];
  on?: Node;
  reason?: string;
  message?: string;
}[] = [
  { name: "a pod that fits" },
  {
    name: "too little CPU",
    spec: { containers: [cpu("1500m")] },
    others: [{ containers: [cpu("1")] }],
    reason: "OutOfcpu",
    message: "Node didn't have enough resource: cpu, requested: 1500, used: 1000, capacity: 2000",
  },
  { name: "just enough CPU", spec: { containers: [cpu("1")] }, others: [{ containers: [cpu("1")] }] },
  {
    name: "too little memory",
    spec: { containers: [c("a", { resources: { requests: { memory: "2Gi" } } })] },
    reason: "OutOfmemory",
    message: "Node didn't have enough resource: memory, requested: 2147483648, used: 0, capacity: 1073741824",
  },
  {
    name: "too many pods",
    others: [{}, {}],
    reason: "OutOfpods",
    message: "Node didn't have enough resource: pods, requested: 1, used: 2, capacity: 2",
  },
  {
    name: "too little of an extended resource",
    spec: { containers: [c("a", { resources: { requests: { "example.com/gpu": "2" } } })] },
    reason: "OutOfexample.com/gpu",
    message: "Node didn't have enough resource: example.com/gpu, requested: 2, used: 0, capacity: 1",
  },
  {
    name: "an extended resource that the node does not know",
    spec: { containers: [c("a", { resources: { requests: { "example.com/fpga": "2" } } })] },
  },
  {
    name: "a selector that does not match",
    spec: { nodeSelector: { zone: "b" } },
    reason: "NodeAffinity",
    message: "Predicate NodeAffinity failed: node(s) didn't match Pod's node affinity/selector",
  },
  { name: "an affinity that matches", spec: affinity("zone", "In", ["a", "b"]) },
  { name: "an affinity by number", spec: affinity("cores", "Gt", ["4"]) },
  { name: "an affinity that does not match", spec: affinity("zone", "DoesNotExist"), reason: "NodeAffinity" },
  {
    name: "a pod of another node",
    spec: { nodeName: "other" },
    reason: "NodeName",
    message: "Predicate NodeName failed: node(s) didn't match the requested node name",
  },
  {
    name: "a host port that is taken",
    spec: { containers: [port(80)] },
    others: [{ containers: [port(80)] }],
    reason: "NodePorts",
    message: "Predicate NodePorts failed: node(s) didn't have free ports for the requested pod ports",
  },
  {
    name: "a host port that is taken on another address",
    spec: { containers: [port(80, "10.0.0.1")] },
    others: [{ containers: [port(80, "10.0.0.2")] }],
  },
  {
    name: "a taint that evicts",
    on: { ...node, spec: { taints: [{ key: "k", effect: "NoExecute" }] } },
    reason: "TaintToleration",
  },
  {
    name: "a taint that evicts, tolerated",
    spec: { tolerations: [{ key: "k", operator: "Exists" }] },
    on: { ...node, spec: { taints: [{ key: "k", effect: "NoExecute" }] } },
  },
  {
    name: "a taint that only keeps the scheduler away",
    on: { ...node, spec: { taints: [{ key: "k", effect: "NoSchedule" }] } },
  },
  {
    name: "another operating system",
    spec: { os: { name: "windows" } },
    reason: "PodOSNotSupported",
    message: "Failed to admit pod as the OS field doesn't match node OS",
  },
  {
    name: "no groups but the pod's own, over a runtime that would add those of the image",
    spec: { securityContext: { supplementalGroupsPolicy: "Strict" } },
    reason: "SupplementalGroupsPolicyNotSupported",
    message: "SupplementalGroupsPolicy=Strict is not supported in this node",
  },
  {
    name: "no groups but the pod's own, over a runtime that can",
    spec: { securityContext: { supplementalGroupsPolicy: "Strict" } },
    on: { ...node, status: { ...node.status, features: { supplementalGroupsPolicy: true } } },
  },
  {
    name: "groups of the image as well",
    spec: { securityContext: { supplementalGroupsPolicy: "Merge" } },
  },
  {
    name: "a label of another operating system",
    labels: { "kubernetes.io/os": "windows" },
    reason: "PodOSSelectorNodeLabelDoesNotMatch",
  },
];

describe("whether a node takes a pod", () => {
  for (const { name, spec = {}, labels = {}, others = [], on = node, reason, message } of cases)
    it(name, () => {
      const used = createResourceLedger();
      const running = others.map((other, i) => pod({ nodeName: "n", ...other }, { uid: `o${i}` }));
      for (const other of running) used.add(other);
      const result = admitPod(pod({ nodeName: "n", ...spec }, { labels }), { node: on, others: running, used });
      if (reason === undefined) expect(result).toEqual({ admitted: true });
      else expect(result).toMatchObject({ admitted: false, reason, ...(message && { message }) });
    });

  it("requests: the larger of initialization and the rest, sidecars beside both, and the overhead", () => {
    const of = (amount: string) => ({ resources: { requests: { cpu: amount } } });
    const spec = {
      initContainers: [c("i", of("3")), sidecar("s", of("1")), c("j", of("1"))],
      containers: [c("a", of("1"))],
      overhead: { cpu: "250m" },
    };
    expect(requestsOf(pod(spec)).get("cpu")).toBe(3250);
    expect(requestsOf(pod({ ...spec, resources: { requests: { cpu: "5" } } })).get("cpu")).toBe(5250);
  });
});
