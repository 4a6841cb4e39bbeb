import type { ApiClient, ApiObject } from "./api-client.js";

/** What writers were answered: the newest acknowledged version of each object, or that it was deleted. */
export interface WriteLoad {
  /** By name; undefined: a delete was acknowledged. */
  readonly acknowledged: ReadonlyMap<string, { readonly round: number; readonly resourceVersion: number } | undefined>;
  /** Resolves when that many writes were acknowledged. */
  reached(writes: number): Promise<void>;
  /** Lets each writer end what it began; one whose server is gone has ended already. */
  stop(): Promise<void>;
}

const path = "/api/v1/namespaces/default/configmaps";
const configMap = (name: string, round: number): unknown => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, labels: { round: String(round) } },
  data: { text: "x".repeat(500) },
});

/** Writers that create a config map, change it twice and, each third one, delete it, as fast as they are answered. */
export function startWriteLoad(api: ApiClient, { writers = 8, name: load = "load" } = {}): WriteLoad {
  const acknowledged = new Map<string, { round: number; resourceVersion: number } | undefined>();
  let writes = 0;
  const stopping = new AbortController();
  const { signal } = stopping;
  const waiting: { writes: number; done: () => void }[] = [];
  const note = (name: string, round: number, object?: ApiObject): void => {
    acknowledged.set(name, object && { round, resourceVersion: Number(object.metadata.resourceVersion) });
    writes += 1;
    for (const wait of waiting) if (writes >= wait.writes) wait.done();
  };
  async function write(writer: number): Promise<void> {
    for (let i = 0; !signal.aborted; i += 1) {
      const name = `${load}-${writer}-${i}`;
      note(name, 0, await api.send("POST", path, configMap(name, 0)));
      for (let round = 1; round <= 2 && !signal.aborted; round += 1)
        note(name, round, await api.send("PUT", `${path}/${name}`, configMap(name, round)));
      if (i % 3 !== 2) continue;
      // While the answer is outstanding both outcomes are right: it is not looked at unless it is known.
      acknowledged.delete(name);
      await api.send("DELETE", `${path}/${name}`);
      note(name, 3);
    }
  }
  const all = Array.from({ length: writers }, (_, writer) => write(writer));
  const ended = Promise.allSettled(all);
  return {
    acknowledged,
    reached: (count) =>
      new Promise((resolve) => (writes >= count ? resolve() : waiting.push({ writes: count, done: resolve }))),
    async stop() {
      stopping.abort();
      await ended;
    },
  };
}
