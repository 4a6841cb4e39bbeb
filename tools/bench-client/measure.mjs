// measure.mjs LIBRARY KUBECONFIG NAMESPACE: measures one client library in a process of its own and prints the figures as JSON.
// The namespace holds the pods; the ConfigMap "target" in "bench" is what GETs ask for.
import { spawn } from "node:child_process";
import { once } from "node:events";

const [library, kubeconfig, namespace, expected] = process.argv.slice(2);
const began = performance.now();
const subject = await import(`./${library}.mjs`);
const importMs = performance.now() - began;
const client = await subject.open(kubeconfig);

globalThis.gc?.();
const before = process.memoryUsage.rss();
const syncBegan = performance.now();
const informer = await subject.startInformer(client, namespace);
await informer.synced(Number(expected));
const syncMs = performance.now() - syncBegan;
globalThis.gc?.();
const heldBytes = process.memoryUsage.rss() - before;

// Another process writes, and is slower than either library reads: what counts is the processor time of the reader.
const events = 5_000;
const watched = await subject.startInformer(client, "bench-events", "configmaps");
await watched.synced(0);
const cpuBefore = process.cpuUsage();
const writer = spawn(process.execPath, [
  new URL("write-events.mjs", import.meta.url).pathname,
  kubeconfig,
  String(events),
]);
const written = once(writer, "exit");
await watched.received(events);
const cpu = process.cpuUsage(cpuBefore);
await written;
const eventsPerSecond = events / ((cpu.user + cpu.system) / 1e6);

const gets = 3_000;
const getsBegan = performance.now();
let sent = 0;
const worker = async () => {
  while (sent++ < gets) await subject.get(client, "bench", "target");
};
await Promise.all(Array.from({ length: 16 }, worker));
const getsPerSecond = gets / ((performance.now() - getsBegan) / 1000);

console.log(JSON.stringify({ importMs, syncMs, heldBytes, eventsPerSecond, getsPerSecond }));
process.exit(0);
