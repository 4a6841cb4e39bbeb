import type { Pod } from "@coxswain/api/core/v1";
import { describe, expect, it } from "vitest";
import { type DrainDecision, type DrainPolicy, planPod } from "./index.js";

const owned = (kind: string): Pod => ({
  metadata: { name: "p", ownerReferences: [{ apiVersion: "apps/v1", kind, name: "o", uid: "1", controller: true }] },
});
const withStorage = (pod: Pod): Pod => ({ ...pod, spec: { containers: [], volumes: [{ name: "v", emptyDir: {} }] } });
const finished = (pod: Pod): Pod => ({ ...pod, status: { phase: "Succeeded" } });

const rows: {
  name: string;
  pod: Pod;
  policy?: DrainPolicy;
  gone?: boolean;
  kind: DrainDecision["kind"];
  message?: string;
}[] = [
  { name: "a ReplicaSet's pod is evicted", pod: owned("ReplicaSet"), kind: "evict" },
  { name: "a DaemonSet's pod is an obstacle", pod: owned("DaemonSet"), kind: "obstacle", message: "ignoreDaemonSets" },
  {
    name: "or left where it is",
    pod: owned("DaemonSet"),
    policy: { ignoreDaemonSets: true },
    kind: "skip",
    message: "DaemonSet",
  },
  { name: "unless it has finished", pod: finished(owned("DaemonSet")), kind: "evict" },
  {
    name: "the pod of a DaemonSet that is gone is an obstacle",
    pod: owned("DaemonSet"),
    gone: true,
    kind: "obstacle",
    message: "force",
  },
  {
    name: "or evicted by force",
    pod: owned("DaemonSet"),
    gone: true,
    policy: { force: true },
    kind: "evict",
    message: "is not there",
  },
  {
    name: "a mirror pod is left alone",
    pod: { metadata: { annotations: { "kubernetes.io/config.mirror": "x" } } },
    kind: "skip",
  },
  {
    name: "local storage is an obstacle",
    pod: withStorage(owned("ReplicaSet")),
    kind: "obstacle",
    message: "deleteEmptyDirData",
  },
  {
    name: "or given up",
    pod: withStorage(owned("ReplicaSet")),
    policy: { deleteEmptyDirData: true },
    kind: "evict",
    message: "local storage",
  },
  { name: "a pod without a controller is an obstacle", pod: {}, kind: "obstacle", message: "force" },
  {
    name: "or evicted by force, with a warning",
    pod: {},
    policy: { force: true },
    kind: "evict",
    message: "not come back",
  },
  { name: "what has finished is evicted without any policy", pod: finished(withStorage({})), kind: "evict" },
];

describe("draining", () => {
  for (const { name, pod, policy = {}, gone = false, kind, message } of rows)
    it(name, () => {
      const decision = planPod(pod, policy, () => !gone);
      expect(decision.kind).toBe(kind);
      if (message !== undefined) expect(JSON.stringify(decision)).toContain(message);
    });
});
