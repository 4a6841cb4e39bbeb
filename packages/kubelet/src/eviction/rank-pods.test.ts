import { describe, expect, it } from "vitest";
import { c, pod } from "../pod/pod.test.support.js";
import { evictionMessage, type PodUsage, rankForEviction } from "./rank-pods.js";

const mebibyte = 1024 * 1024;
const usage = (
  name: string,
  options: { used: number; request?: string; priority?: number; annotations?: Record<string, string> },
): PodUsage => ({
  pod: pod(
    {
      containers: [
        c("main", options.request === undefined ? {} : { resources: { requests: { memory: options.request } } }),
      ],
      ...(options.priority !== undefined && { priority: options.priority }),
    },
    { name, ...(options.annotations && { annotations: options.annotations }) },
  ),
  containers: [
    { name: "main", cpuNanoCores: 0, cpuNanoCoreSeconds: 0, memoryBytes: options.used * mebibyte, startedAt: 0 },
  ],
});

const cases: { name: string; pods: PodUsage[]; order: string[] }[] = [
  {
    name: "those above their requests go first",
    pods: [usage("within", { used: 90, request: "100Mi" }), usage("above", { used: 20, request: "10Mi" })],
    order: ["above", "within"],
  },
  {
    name: "then those of lower priority",
    pods: [usage("high", { used: 50, priority: 10 }), usage("low", { used: 20, priority: 1 })],
    order: ["low", "high"],
  },
  {
    name: "then those furthest above",
    pods: [usage("little", { used: 20, request: "10Mi" }), usage("much", { used: 90, request: "10Mi" })],
    order: ["much", "little"],
  },
  {
    name: "critical and static pods stay",
    pods: [
      usage("critical", { used: 90, priority: 2_000_001_000 }),
      usage("static", { used: 90, annotations: { "kubernetes.io/config.source": "file" } }),
      usage("plain", { used: 1 }),
    ],
    order: ["plain"],
  },
];

describe("which pods memory pressure evicts", () => {
  for (const { name, pods, order } of cases)
    it(name, () => expect(rankForEviction(pods).map((each) => each.pod.metadata?.name)).toEqual(order));

  it("the message has who used how much", () =>
    expect(evictionMessage(usage("web", { used: 2, request: "1Mi" }))).toBe(
      "The node was low on resource: memory. Container main was using 2048Ki, request is 1Mi, has larger consumption of memory. ",
    ));
});
