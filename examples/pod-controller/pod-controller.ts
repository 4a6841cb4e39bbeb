import type { Client } from "@coxswain/client";
import { createSharedInformer, keyOf } from "@coxswain/client/informers";
import { createRateLimitingQueue, runWorkers } from "@coxswain/client/queue";

/** Labels every pod with the node it runs on: watches pods, queues their keys, reconciles them with retries. */
export async function labelPodsByNode(client: Client, signal: AbortSignal): Promise<void> {
  const pods = createSharedInformer({ listerWatcher: client.core.v1.pods(), onError: console.error });
  const queue = createRateLimitingQueue<string>({ name: "pods" });
  pods.addHandler({
    onAdd: (pod) => queue.add(keyOf(pod)),
    onUpdate: (_, pod) => queue.add(keyOf(pod)),
    onDelete: (pod) => queue.add(keyOf(pod)),
  });
  pods.start();
  await pods.whenSynced(signal);

  await runWorkers({
    queue,
    signal,
    workers: 4,
    onError: (error, key) => console.error(`${key} comes again:`, error),
    async work(key) {
      const pod = pods.indexer.getByKey(key); // as it is now, not as it was when the key was queued
      const node = pod?.spec?.nodeName;
      const { name, namespace, labels } = pod?.metadata ?? {};
      if (name === undefined || node === undefined || labels?.["example.com/node"] === node) return;
      await client.core.v1
        .pods(namespace)
        .patch(name, { merge: { metadata: { labels: { "example.com/node": node } } } });
    },
  });
  await pods.stop();
}
