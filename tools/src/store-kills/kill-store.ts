import { setTimeout as sleep } from "node:timers/promises";
import { createSeededRandom } from "@coxswain/runtime/random";
import { startOwnStore } from "../conformance/own-store.js";
import { type Api, openApi } from "../proxy-bench/api.js";
import { startKubeApiserver } from "../upstream/index.js";

export interface KillStoreOptions {
  /** For data, certificates and logs; must exist. */
  readonly folder: string;
  readonly kills: number;
  readonly seed: number;
  readonly print: (line: string) => void;
}

const configMaps = "/api/v1/namespaces/default/configmaps";
const writers = 8;

/** Creates, some of which were acknowledged, and the store's kills between them. */
export async function killStore({ folder, kills, seed, print }: KillStoreOptions) {
  const random = createSeededRandom(seed);
  let store = await startOwnStore({ folder });
  const server = await startKubeApiserver({ folder, etcdUrl: store.url });
  const api = openApi(server.kubeconfigFile);
  const acknowledged = new Map<string, string>();
  const stop = new AbortController();
  try {
    const writing = Array.from({ length: writers }, (_, writer) => write(api, writer, acknowledged, stop.signal));
    for (let kill = 1; kill <= kills; kill++) {
      await sleep(1000 + random.next() * 2000);
      process.kill(store.pid, "SIGKILL");
      await store.stop();
      store = await startOwnStore({ folder });
      print(`kill ${kill}: ${acknowledged.size} creates were acknowledged so far`);
    }
    await sleep(3000);
    stop.abort();
    await Promise.all(writing);
    return { acknowledged: acknowledged.size, problems: await compare(api, acknowledged) };
  } finally {
    stop.abort();
    api.close();
    await server.stop();
    await store.stop();
  }
}

async function write(api: Api, writer: number, acknowledged: Map<string, string>, signal: AbortSignal): Promise<void> {
  for (let number = 0; !signal.aborted; number++) {
    const name = `w${writer}-${number}`;
    const value = `${name} ${"x".repeat(200)}`;
    const body = { apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data: { value } };
    // What fails may have happened or not: only what was acknowledged is held against the store.
    const isWritten = await api.send("POST", configMaps, body).then(
      () => true,
      () => false,
    );
    if (isWritten) acknowledged.set(name, value);
    else await sleep(100);
  }
}

async function compare(api: Api, acknowledged: ReadonlyMap<string, string>): Promise<string[]> {
  const listed = (await api.send("GET", configMaps)) as {
    readonly items: readonly {
      readonly metadata: { readonly name: string };
      readonly data?: { readonly value: string };
    }[];
  };
  const found = new Map(listed.items.map(({ metadata, data }) => [metadata.name, data?.value]));
  return [...acknowledged].flatMap(([name, value]) => {
    if (!found.has(name)) return [`${name} was acknowledged and is gone`];
    return found.get(name) === value ? [] : [`${name} is not as it was written`];
  });
}
