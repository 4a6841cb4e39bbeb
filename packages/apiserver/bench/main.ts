// npm run bench -- history-reads [changes]: how long questions about the past take among a million changes (docs/history.md).
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInProcessClient, startApiServer } from "@coxswain/apiserver";
import { systemRuntime } from "@coxswain/runtime";
import { systemClock } from "@coxswain/runtime/clock";
import { createMemoryStore } from "@coxswain/storage";
import { directoryFiles, openChronicle } from "@coxswain/storage/chronicle";

const changes = Number(process.argv[2] ?? "1000000");
const pods = 10_000;
/** Of the object that is asked about, spread over all. */
const own = 1_000;
const hour = 3_600_000;

const folder = mkdtempSync(join(tmpdir(), "coxswain-bench-history-"));
const runtime = systemRuntime();
const store = createMemoryStore({ runtime });
const directory = join(folder, "history");
const bytes = 4 * 1024 ** 3;
const chronicle = await openChronicle({
  files: await directoryFiles(directory),
  rules: { of: () => "value", isNoise: () => false, digest: () => undefined },
  limits: { bytes },
  snapshot: () => store.snapshot(),
  runtime,
  store: { revision: store.revision, compacted: store.revision },
});
const recording = new AbortController();
const recorded = store.watch(
  { prefix: "/registry/", from: store.revision },
  (events, progress) => chronicle.record(events, progress),
  recording.signal,
);

await chronicle.flush();

/** Written as an API server would, at a time of our choice. */
async function write(key: string, object: object, time: number): Promise<void> {
  const current = await store.get(key);
  const note = { time, user: "system:node:node-1", verb: "patch", subresource: "status", manager: "kubelet" };
  const value = Buffer.from(JSON.stringify(object));
  await store.put({ key, value, expected: current?.revision ?? 0, note });
}

const podOf = (at: number, status: object): object => ({
  kind: "Pod",
  apiVersion: "v1",
  metadata: {
    name: `web-${at}`,
    namespace: "default",
    uid: `00000000-0000-0000-0000-${String(at).padStart(12, "0")}`,
    creationTimestamp: "2026-11-18T10:00:00Z",
    labels: { app: "web", "pod-template-hash": "5697c88874" },
    ownerReferences: [{ apiVersion: "apps/v1", kind: "ReplicaSet", name: "web", uid: "u", controller: true }],
  },
  spec: {
    nodeName: `node-${at % 100}`,
    restartPolicy: "Always",
    containers: [{ name: "main", image: "nginx", resources: { requests: { cpu: "10m", memory: "16Mi" } } }],
    tolerations: ["not-ready", "unreachable"].map((key) => ({
      key: `node.kubernetes.io/${key}`,
      operator: "Exists",
      effect: "NoExecute",
      tolerationSeconds: 300,
    })),
  },
  status: {
    phase: "Running",
    podIP: `10.0.${at >> 8}.${at & 255}`,
    conditions: ["Initialized", "Ready", "ContainersReady", "PodScheduled"].map((type) => ({
      type,
      status: "True",
      ...status,
    })),
  },
});
const podKey = (at: number): string => `/registry/pods/default/web-${at}`;
const begin = systemClock.now() - hour;
const began = systemClock.monotonic();
for (let at = 0; at < pods; at++) await write(podKey(at), podOf(at, {}), begin);
await chronicle.flush();
const past = store.revision;
for (let at = 0; at < changes; at++) {
  const time = begin + Math.round((hour * at) / changes);
  if (at % (changes / own) === 0) {
    const metadata = { name: "busy", namespace: "default", uid: "u", creationTimestamp: "2026-11-18T10:00:00Z" };
    await write(
      "/registry/configmaps/default/busy",
      {
        kind: "ConfigMap",
        apiVersion: "v1",
        metadata,
        data: { count: String(at) },
      },
      time,
    );
  }
  const pod = (at * 7919) % pods;
  await write(podKey(pod), podOf(pod, { lastTransitionTime: new Date(time).toISOString() }), time);
  if (at % 5_000 === 0) await chronicle.flush(); // faster than any cluster, but not than this
  if (at % 50_000 === 0) await store.compact(store.revision);
}
recording.abort();
await recorded;
const { bytes: size, gaps } = chronicle.reach();
if (gaps.length > 0) throw new Error(`the history has gaps: ${JSON.stringify(gaps)}`);
await chronicle.close();
console.log(
  `${changes} changes of ${pods} pods in ${((systemClock.monotonic() - began) / 1000).toFixed(0)} s, ${(size / 1e6).toFixed(0)} MB`,
);

const server = await startApiServer({ store, runtime, history: { directory, bytes } });
const { request } = createInProcessClient(server, { user: { name: "admin", groups: ["system:masters"] } });
const group = "/apis/history.coxswain.dev/v1alpha1";
const review = (kind: string, spec: object) => ({
  method: "POST",
  path: `${group}/${kind.toLowerCase()}s`,
  body: { apiVersion: "history.coxswain.dev/v1alpha1", kind, spec },
});
const middle = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

/** Questions of each kind: on a busy machine the least of many is nearest to what a quiet one takes. */
const asked = 40;

/** The first time, then the median and the least of the others; processor time too. */
async function time(what: string, budget: number, ask: () => Promise<number>): Promise<void> {
  const times: number[] = [];
  const works: number[] = [];
  let found = 0;
  for (let round = 0; round < asked; round++) {
    const [start, used] = [systemClock.monotonic(), process.cpuUsage()];
    found = await ask();
    const { user, system } = process.cpuUsage(used);
    times.push(systemClock.monotonic() - start);
    works.push((user + system) / 1000);
  }
  const shown = (values: readonly number[]): string =>
    `${values[0]?.toFixed(0)} ms at first, then ${middle(values.slice(1)).toFixed(0)}, at least ${Math.min(...values).toFixed(0)} ms`;
  console.log(`${what}: ${shown(times)}; processor ${shown(works)} (${found} found; budget ${budget} ms)`);
}
const selector = "object.resource=configmaps,object.name=busy";
await time("history of an object with 1,000 changes", 100, async () => {
  const path = `${group}/namespaces/default/changes?limit=1000&fieldSelector=${encodeURIComponent(selector)}`;
  return ((await request({ method: "GET", path })) as { items: unknown[] }).items.length;
});
await time("at: 10,000 pods an hour ago", 1000, async () => {
  const path = `/api/v1/namespaces/default/pods?resourceVersion=${past}&resourceVersionMatch=Exact`;
  return ((await request({ method: "GET", path })) as { items: unknown[] }).items.length;
});
await time("why of one of the pods", 50, async () => {
  const spec = { object: { apiVersion: "v1", kind: "Pod", namespace: "default", name: "web-77" } };
  return ((await request(review("Explanation", spec))) as { status: { chain: unknown[] } }).status.chain.length;
});
await server.stop();
rmSync(folder, { recursive: true, force: true });
