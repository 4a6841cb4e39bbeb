import type { PodSpec } from "@coxswain/api/core/v1";
import { describe, expect, it } from "vitest";
import { c, pod } from "../pod/pod.test.support.js";
import { admitUnderPressure } from "./admit-under-pressure.js";
import { hasStorageLimit, storageExcess } from "./local-storage.js";
import type { PressureCondition } from "./signals.js";

const requesting = { containers: [c("main", { resources: { requests: { cpu: "1" } } })] };
const admissions: { name: string; spec: PodSpec; conditions: PressureCondition[]; refusal?: string }[] = [
  { name: "any pod where nothing presses", spec: { containers: [c("main")] }, conditions: [] },
  { name: "pods that request something where only memory is short", spec: requesting, conditions: ["MemoryPressure"] },
  {
    name: "not pods that request nothing",
    spec: { containers: [c("main")] },
    conditions: ["MemoryPressure"],
    refusal: "The node had condition: [MemoryPressure]. ",
  },
  {
    name: "those that tolerate memory pressure",
    spec: { containers: [c("main")], tolerations: [{ key: "node.kubernetes.io/memory-pressure", operator: "Exists" }] },
    conditions: ["MemoryPressure"],
  },
  {
    name: "no pods where the disk is full",
    spec: { ...requesting, tolerations: [{ operator: "Exists" }] },
    conditions: ["DiskPressure"],
    refusal: "The node had condition: [DiskPressure]. ",
  },
  {
    name: "no pods where more than memory is short",
    spec: requesting,
    conditions: ["MemoryPressure", "PIDPressure"],
    refusal: "The node had condition: [MemoryPressure PIDPressure]. ",
  },
  {
    name: "critical pods always",
    spec: { containers: [c("main")], priority: 2_000_001_000 },
    conditions: ["DiskPressure"],
  },
];

describe("a node under pressure admits", () => {
  for (const { name, spec, conditions, refusal } of admissions)
    it(name, () =>
      expect(admitUnderPressure(pod(spec), conditions)).toEqual(
        refusal === undefined ? { admitted: true } : { admitted: false, reason: "Evicted", message: refusal },
      ),
    );
});

const limited = (name: string, limit?: string) =>
  c(name, limit === undefined ? {} : { resources: { limits: { "ephemeral-storage": limit } } });
const storage: {
  name: string;
  spec: PodSpec;
  used: [container: string, bytes: number][];
  volumes?: [string, number][];
  excess?: string;
}[] = [
  { name: "within its limit", spec: { containers: [limited("a", "1Ki")] }, used: [["a", 1024]] },
  {
    name: "a container above its limit, the pod within",
    spec: { containers: [limited("a", "1Ki"), limited("b", "4Ki")] },
    used: [
      ["a", 2000],
      ["b", 1],
    ],
    excess: 'Container a exceeded its local ephemeral storage limit "1Ki". ',
  },
  {
    name: "the pod above the limits of its containers together",
    spec: { containers: [limited("a", "1Ki"), limited("b", "4Ki")] },
    used: [
      ["a", 1000],
      ["b", 4000],
    ],
    volumes: [["v", 2000]],
    excess: "Pod ephemeral local storage usage exceeds the total limit of containers 5Ki. ",
  },
  {
    name: "a volume above its size",
    spec: { containers: [limited("a")], volumes: [{ name: "v", emptyDir: { sizeLimit: "1Mi" } }] },
    used: [],
    volumes: [["v", 2 ** 20 + 1]],
    excess: 'Usage of EmptyDir volume "v" exceeds the limit "1Mi". ',
  },
];

describe("a pod's local storage", () => {
  for (const { name, spec, used, volumes = [], excess } of storage)
    it(name, () => {
      const containers = used.map(([container, storageBytes]) => ({ name: container, storageBytes }));
      const stats = { at: 0, containers, volumes: volumes.map(([volume, usedBytes]) => ({ name: volume, usedBytes })) };
      expect(storageExcess(pod(spec), stats as never)?.message).toBe(excess);
      expect(hasStorageLimit(pod(spec))).toBe(true);
    });
  it("is not looked at without a limit", () =>
    expect(hasStorageLimit(pod({ containers: [limited("a")] }))).toBe(false));
});
