import type { ContainerState, ContainerStatus, PodStatus } from "@coxswain/api/core/v1";
import { describe, expect, it } from "vitest";
import { endReason } from "./end-reason.js";

const terminated = (containerID: string, exitCode: number, reason = "Error"): ContainerState => ({
  terminated: { containerID: `runtime://${containerID}`, exitCode, reason },
});
const status = (state: ContainerState, lastState: ContainerState = {}): PodStatus => ({
  phase: "Running",
  containerStatuses: [
    { name: "c", image: "i", imageID: "", ready: true, restartCount: 0, state, lastState } as ContainerStatus,
  ],
});
const running = status({ running: {} });

describe("why a container ended", () => {
  const cases: {
    name: string;
    before?: PodStatus;
    after: PodStatus;
    kills?: [string, string][];
    want: string | undefined;
  }[] = [
    { name: "it runs on", after: running, want: undefined },
    { name: "it ended by itself", after: status(terminated("a", 3)), want: "Container c ended with exit code 3" },
    {
      name: "memory ran out",
      after: status(terminated("a", 137, "OOMKilled")),
      want: "Container c ended with exit code 137 (OOMKilled)",
    },
    {
      name: "it was killed, and runs again already",
      after: status({ running: {} }, terminated("a", 137)),
      kills: [["a", "Container c failed liveness probe, will be restarted"]],
      want: "Container c failed liveness probe, will be restarted",
    },
    {
      name: "its end was known before",
      before: status(terminated("a", 3)),
      after: status({ running: {} }, terminated("a", 3)),
      want: undefined,
    },
    {
      name: "the node evicts the pod",
      after: { phase: "Failed", reason: "Evicted", message: "The node was low on resource: memory." },
      want: "Evicted: The node was low on resource: memory.",
    },
  ];
  for (const { name, before = running, after, kills = [], want } of cases)
    it(name, () => expect(endReason(before, after, new Map(kills))).toBe(want));
});
