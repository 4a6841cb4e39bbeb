import type { Pod } from "@coxswain/api/core/v1";
import { describe, expect, it } from "vitest";
import { planStartLatency } from "./start-latency.js";

const at = (second: number): string => new Date(second * 1000).toISOString();
const running = (second: number): object => ({ state: { running: { startedAt: at(second) } } });
const ran = (name: string, from: number, to: number): object => ({
  name,
  state: { terminated: { startedAt: at(from), finishedAt: at(to) } },
});
const pod = (status: object, spec: object = {}): Pod =>
  ({ metadata: { creationTimestamp: at(100) }, spec, status }) as Pod;

describe("how long a pod took to start", () => {
  const cases = [
    { name: "nothing before it has containers", pod: pod({}), is: undefined },
    {
      name: "nothing while one of them waits",
      pod: pod({ containerStatuses: [running(105), { state: { waiting: {} } }] }),
      is: undefined,
    },
    {
      name: "without pulls and init containers",
      pod: pod({ containerStatuses: [running(105)], initContainerStatuses: [ran("init", 102, 104)] }),
      is: { totalMs: 10_000, sliMs: 7000, isStateful: false, hasOwnNetwork: true },
    },
    {
      name: "a sidecar's earlier run does not count",
      pod: pod(
        { containerStatuses: [running(105)], initContainerStatuses: [ran("side", 102, 104)] },
        { initContainers: [{ name: "side", restartPolicy: "Always" }], hostNetwork: true },
      ),
      is: { totalMs: 10_000, sliMs: 9000, isStateful: false, hasOwnNetwork: false },
    },
    {
      name: "a volume that is not the pod's own makes it stateful",
      pod: pod(
        { containerStatuses: [running(105)] },
        {
          volumes: [
            { name: "a", emptyDir: {} },
            { name: "b", hostPath: {} },
          ],
        },
      ),
      is: { totalMs: 10_000, sliMs: 9000, isStateful: true, hasOwnNetwork: true },
    },
  ];
  for (const { name, pod: given, is } of cases)
    it(name, () => expect(planStartLatency(given, 1000, 110_000)).toEqual(is));
});
