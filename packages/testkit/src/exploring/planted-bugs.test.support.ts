import type { ConfigMap } from "@coxswain/api/core/v1";
import { isAlreadyExists } from "@coxswain/apimachinery/status";
import { type CachedObject, createSharedInformer, keyOf } from "@coxswain/client/informers";
import { createRateLimitingQueue, runWorkers } from "@coxswain/client/queue";
import type { StartProgram } from "../programs/programs.js";

export interface ChildMakerOptions {
  /** The planted race: it believes its cache, and lets the server choose names. */
  readonly isStale?: boolean;
}

/** For each ConfigMap with a label `parent` there shall be one child. */
export const childMaker =
  ({ isStale = false }: ChildMakerOptions = {}): StartProgram =>
  async (client, { runtime }) => {
    const ending = new AbortController();
    const maps = client.core.v1.configmaps("default");
    const queue = createRateLimitingQueue<string>({ runtime });
    const informer = createSharedInformer<ConfigMap>({ listerWatcher: maps, runtime });
    const add = (map: CachedObject): void => {
      if (map.metadata?.labels?.["parent"]) queue.add(keyOf(map));
    };
    informer.addHandler({ onAdd: add, onUpdate: (_, map) => add(map), onDelete: () => {} });
    informer.start();
    await informer.whenSynced(ending.signal);
    const work = async (key: string): Promise<void> => {
      const parent = informer.indexer.getByKey(key)?.metadata?.name;
      if (parent === undefined) return;
      if (informer.indexer.list().some(({ metadata }) => metadata?.labels?.["of"] === parent)) return;
      const labels = { of: parent };
      if (isStale) await maps.create({ metadata: { generateName: `${parent}-`, labels } });
      else await maps.create({ metadata: { name: `${parent}-child`, labels } }).catch(unlessThere);
    };
    const working = runWorkers({ queue, work, signal: ending.signal, runtime });
    return {
      async stop() {
        ending.abort();
        await working;
        await informer.stop();
      },
    };
  };

function unlessThere(error: unknown): void {
  if (!isAlreadyExists(error)) throw error;
}

/** Makes a credential and notes that it did. The planted bug: after a crash between the two it makes another one. */
export const registrar: StartProgram = (client) => {
  const maps = client.core.v1.configmaps("default");
  const running = (async () => {
    const isDone = await maps.get("registered").then(
      () => true,
      () => false,
    );
    if (isDone) return;
    await client.core.v1.secrets("default").create({ metadata: { generateName: "credential-" } });
    await maps.create({ metadata: { name: "registered" } });
  })().catch(() => {}); // killed
  return { stop: () => running };
};
