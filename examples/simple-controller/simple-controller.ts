// Watches pods, queues their keys, and gives every pod the label "seen": the controller that every tutorial starts with.
import type { Pod } from "@coxswain/api/core/v1";
import type { Client } from "@coxswain/client";
import { createSharedInformerFactory, keyOf } from "@coxswain/client/informers";
import { createRateLimitingQueue, runWorkers } from "@coxswain/client/queue";

export async function runController(client: Client, signal: AbortSignal): Promise<void> {
  const factory = createSharedInformerFactory({ listerWatcher: client.dynamic });
  const pods = factory.informer<Pod>({ group: "", version: "v1", resource: "pods" });
  const queue = createRateLimitingQueue<string>();
  pods.addHandler({
    onAdd: (pod) => queue.add(keyOf(pod)),
    onUpdate: (_old, pod) => queue.add(keyOf(pod)),
    onDelete: (pod) => queue.add(keyOf(pod)),
  });
  factory.start();
  await factory.whenSynced(signal);
  await runWorkers({
    queue,
    workers: 2,
    signal,
    onError: (error, key) => console.error(`${key}: ${String(error)}; trying again`),
    async work(key) {
      const pod = pods.indexer.getByKey(key);
      const { name, namespace, labels, deletionTimestamp } = pod?.metadata ?? {};
      if (name === undefined || deletionTimestamp !== undefined || labels?.["seen"] === "true") return;
      await client.core.v1.pods(namespace).patch(name, { merge: { metadata: { labels: { seen: "true" } } } });
    },
  });
  await factory.stop();
}
