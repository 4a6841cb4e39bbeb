// npm run bench -- scheduler [nodes ...]: processor time of one decision, in this process and without a server.
import { systemRuntime } from "@coxswain/runtime";
import { createSchedulerCache, type SchedulerCache } from "../cache/scheduler-cache.js";
import { createCycle } from "../framework/cycle.js";
import type { Profile } from "../framework/profile.js";
import type { Node, Pod } from "../pod/objects.js";
import { PodInfo } from "../pod/pod-info.js";
import { schedulePod } from "../schedule/schedule-pod.js";
import { objectsOf, profileOf } from "./solve-problem.test.support.js";

const [zones, podsBefore, podsMeasured, roundsEach] = [10, 10, 1_000, 3];
const zoneKey = "topology.kubernetes.io/zone";
const hostKey = "kubernetes.io/hostname";

const nodeOf = (index: number): Node => ({
  metadata: { name: `node-${index}`, labels: { [hostKey]: `node-${index}`, [zoneKey]: `zone-${index % zones}` } },
  status: { allocatable: { cpu: "32", memory: "256Gi", pods: "110" } },
});

const kinds: Readonly<Record<string, (selector: object) => Pod["spec"]>> = {
  plain: () => ({ containers: [] }),
  spread: (labelSelector) => ({
    containers: [],
    topologySpreadConstraints: [
      { maxSkew: 5, topologyKey: zoneKey, whenUnsatisfiable: "DoNotSchedule", labelSelector },
      { maxSkew: 5, topologyKey: hostKey, whenUnsatisfiable: "ScheduleAnyway", labelSelector },
    ],
  }),
  "anti-affinity": (labelSelector) => ({
    containers: [],
    affinity: {
      podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: hostKey, labelSelector }] },
    },
  }),
  "preferred-affinity": (labelSelector) => ({
    containers: [],
    affinity: {
      podAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: [
          { weight: 10, podAffinityTerm: { topologyKey: zoneKey, labelSelector } },
        ],
      },
    },
  }),
};

function podOf(kind: string, name: string): Pod {
  const labels = { app: kind };
  const resources = { requests: { cpu: "100m", memory: "64Mi" } };
  return {
    metadata: { name, namespace: "default", uid: name, labels },
    spec: { ...kinds[kind]?.({ matchLabels: labels }), containers: [{ name: "main", image: "nginx", resources }] },
  };
}

const placed = (pod: Pod, nodeName: string): Pod => ({ ...pod, spec: { containers: [], ...pod.spec, nodeName } });

function filled(nodes: readonly Node[]): SchedulerCache {
  const cache = createSchedulerCache();
  for (const node of nodes) cache.addNode(node);
  for (const { metadata } of nodes)
    for (let at = 0; at < podsBefore; at++)
      cache.addPod(placed(podOf("plain", `${metadata?.name}-${at}`), metadata?.name ?? ""));
  return cache;
}

/** Decides, assumes and confirms, as the loop and the handlers of events do. */
async function scheduleAll(cache: SchedulerCache, profile: Profile, pods: readonly Pod[]): Promise<number> {
  const options = { percentageOfNodesToScore: 0, extenders: [], runtime: systemRuntime() };
  let startIndex = 0;
  let bound = 0;
  for (const pod of pods) {
    const info = new PodInfo(pod);
    const snapshot = cache.snapshot();
    const placement = await schedulePod(profile, createCycle(info, snapshot), { ...options, startIndex });
    startIndex = (startIndex + placement.tried) % snapshot.nodes.length;
    if (placement.kind !== "node") continue;
    cache.assume(info, placement.nodeName);
    cache.addPod(placed(pod, placement.nodeName));
    bound++;
  }
  return bound;
}

const wanted = process.argv.slice(2).map(Number);
for (const count of wanted.length > 0 ? wanted : [100, 1_000, 5_000]) {
  const nodes = Array.from({ length: count }, (_, index) => nodeOf(index));
  for (const kind of Object.keys(kinds)) {
    const profile = profileOf(objectsOf({ nodes, pods: [], pod: podOf(kind, "first"), objects: {}, config: "" }));
    const cache = filled(nodes);
    const micros: number[] = [];
    let bound = 0;
    for (let round = 0; round < roundsEach; round++) {
      const pods = Array.from({ length: podsMeasured }, (_, at) => podOf(kind, `${kind}-${round}-${at}`));
      const before = process.cpuUsage();
      bound += await scheduleAll(cache, profile, pods);
      const { user, system } = process.cpuUsage(before);
      micros.push((user + system) / podsMeasured);
    }
    const text = micros.map((each) => each.toFixed(0)).join(" ");
    process.stdout.write(
      `${String(count).padStart(5)} nodes  ${kind.padEnd(20)} ${Math.min(...micros)
        .toFixed(0)
        .padStart(6)} µs of processor time a pod (rounds: ${text}; bound ${bound})\n`,
    );
  }
}
