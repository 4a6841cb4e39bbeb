// measure.mjs LIBRARY KUBECONFIG NAMESPACE PODS: measures one client library in a process of its own and prints the figures as JSON.
// The namespace holds the pods; the ConfigMap "target" in "bench" is what GETs ask for.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { processorTime, settledMemory } from "./process-figures.mjs";

const [library, kubeconfig, namespace, expected] = process.argv.slice(2);
const began = performance.now();
const subject = await import(`./${library}.mjs`);
const importMs = performance.now() - began;
const client = await subject.open(kubeconfig);

const before = await settledMemory();
const syncUsed = processorTime();
const syncBegan = performance.now();
const informer = await subject.startInformer(client, namespace);
await informer.synced(Number(expected));
const syncMs = performance.now() - syncBegan;
const syncCpuMs = processorTime() - syncUsed;
const heldBytes = (await settledMemory()) - before;

// A backlog, so that neither library waits for the server or for single packets: this process stands still while another one
// writes. The first backlog warms up the compiler, the second one counts, in processor time.
const events = 5_000;
const watched = await subject.startInformer(client, "bench-events", "configmaps");
await watched.synced(0);
async function readBacklog(total) {
  const used = processorTime();
  const script = new URL("write-events.mjs", import.meta.url).pathname;
  const writer = spawn(process.execPath, [script, kubeconfig, String(events), String(process.pid)]);
  const written = once(writer, "exit");
  await watched.received(total);
  const ms = processorTime() - used;
  await written;
  return events / (ms / 1000);
}
await readBacklog(events);
const eventsPerSecond = await readBacklog(2 * events);

const gets = 3_000;
const getsBegan = performance.now();
let sent = 0;
const worker = async () => {
  while (sent++ < gets) await subject.get(client, "bench", "target");
};
await Promise.all(Array.from({ length: 16 }, worker));
const getsPerSecond = gets / ((performance.now() - getsBegan) / 1000);

console.log(JSON.stringify({ importMs, syncMs, syncCpuMs, heldBytes, eventsPerSecond, getsPerSecond }));
process.exit(0);
