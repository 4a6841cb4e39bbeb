import { describe, expect, it } from "vitest";
import { c, pod } from "../pod/pod.test.support.js";
import { evictionMessage } from "./eviction-message.js";
import { type PodUsage, rankForEviction } from "./rank-pods.js";
import type { StarvedResource } from "./signals.js";
import { parseThresholds } from "./thresholds.js";

const mebibyte = 1024 * 1024;
interface Used {
  readonly used?: number;
  readonly disk?: number;
  readonly processes?: number;
  readonly request?: string;
  readonly priority?: number;
  readonly annotations?: Record<string, string>;
}
const usage = (
  name: string,
  { used = 0, disk = 0, processes = 1, request, priority, annotations }: Used,
): PodUsage => ({
  pod: pod(
    {
      containers: [
        c(
          "main",
          request === undefined ? {} : { resources: { requests: { memory: request, "ephemeral-storage": request } } },
        ),
      ],
      ...(priority !== undefined && { priority }),
    },
    { name, ...(annotations && { annotations }) },
  ),
  stats: {
    at: 0,
    volumes: [],
    containers: [
      {
        name: "main",
        cpuNanoCores: 0,
        cpuNanoCoreSeconds: 0,
        memoryBytes: used * mebibyte,
        storageBytes: disk * mebibyte,
        inodes: 0,
        processes,
        startedAt: 0,
      },
    ],
  },
});

const cases: { name: string; resource?: StarvedResource; pods: PodUsage[]; order: string[] }[] = [
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
  {
    name: "those of which nothing is known go before others",
    pods: [usage("known", { used: 90 }), { ...usage("unknown", {}), stats: undefined }],
    order: ["unknown", "known"],
  },
  {
    name: "a full disk: those above their requests of storage go first",
    resource: "ephemeral-storage",
    pods: [usage("within", { disk: 90, request: "100Mi" }), usage("above", { disk: 20, request: "10Mi", priority: 9 })],
    order: ["above", "within"],
  },
  {
    name: "too many processes: the priority comes first, then the number of processes",
    resource: "pids",
    pods: [
      usage("high", { processes: 900, priority: 1 }),
      usage("few", { processes: 2 }),
      usage("many", { processes: 500 }),
    ],
    order: ["many", "few", "high"],
  },
];

describe("which pods pressure evicts", () => {
  for (const { name, resource, pods, order } of cases)
    it(name, () => expect(rankForEviction(pods, resource).map((each) => each.pod.metadata?.name)).toEqual(order));
});

describe("the message of an eviction", () => {
  const met = parseThresholds({ evictionHard: { "memory.available": "100Mi" } });
  const observations = new Map([
    ["memory.available", { available: 50 * mebibyte, capacity: 1000 * mebibyte }] as const,
  ]);
  const rows: { name: string; text: string; message: string }[] = [
    {
      name: "names the threshold, and containers above their requests",
      text: evictionMessage(usage("web", { used: 2, request: "1Mi" }), { resource: "memory", met, observations }),
      message:
        "The node was low on resource: memory. Threshold quantity: 100Mi, available: 50Mi. Container main was using 2Mi, request is 1Mi, has larger consumption of memory. ",
    },
    {
      name: "leaves out containers within their requests",
      text: evictionMessage(usage("web", { used: 1, request: "1Mi" }), { resource: "memory", met, observations }),
      message: "The node was low on resource: memory. Threshold quantity: 100Mi, available: 50Mi. ",
    },
    {
      name: "without a threshold, when somebody asked for it",
      text: evictionMessage(usage("web", { disk: 3 }), { resource: "ephemeral-storage", met: [], observations }),
      message:
        "The node was low on resource: ephemeral-storage. Container main was using 3Mi, request is 0, has larger consumption of ephemeral-storage. ",
    },
  ];
  for (const { name, text, message } of rows) it(name, () => expect(text).toBe(message));
});
