import type { ConfigMap } from "@coxswain/api/core/v1";
import { internalError, resourceExpired, tooManyRequests, unauthorized } from "@coxswain/apimachinery/status";
import { type ApiServer, createInProcessTransport, startApiServer } from "@coxswain/apiserver";
import { type Client, createClient, type ListerWatcher, type WatchEvent, type WatchStream } from "@coxswain/client";
import { createSharedInformer } from "@coxswain/client/informers";
import { systemRuntime } from "@coxswain/runtime";
import { createVirtualClock } from "@coxswain/runtime/clock";
import { macrotask } from "@coxswain/runtime/event-loop";
import { createSeededRandom, randomInt } from "@coxswain/runtime/random";
import { createMemoryStore } from "@coxswain/storage/memory";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const seeds = 1000;
/** So often the server is killed and started again over the same store, in the middle of a storm. */
const restartEvery = 250;

const failures = [
  () => tooManyRequests("too many requests", 2),
  () => internalError("etcdserver: request timed out"),
  () => unauthorized("Unauthorized"),
  () => new Error("Unexpected token '<', \"<html>\" is not valid JSON"),
  () => new Error("connect ECONNREFUSED"),
];

/** The events of a real watch, until something goes wrong with them. */
class FaultyStream implements WatchStream<ConfigMap> {
  readonly #inner: WatchStream<ConfigMap>;
  #end: { silent: boolean; error?: Error; last?: WatchEvent<ConfigMap> } | undefined;
  #wake = (): void => {};

  constructor(inner: WatchStream<ConfigMap>) {
    this.#inner = inner;
  }

  break(end: { silent: boolean; error?: Error; last?: WatchEvent<ConfigMap> }): void {
    this.#end ??= end;
    this.#inner.stop();
    this.#wake();
  }

  stop(): void {
    this.break({ silent: false });
  }

  async *[Symbol.asyncIterator](): AsyncIterator<readonly WatchEvent<ConfigMap>[]> {
    for await (const batch of this.#inner) {
      if (this.#end !== undefined) break;
      yield batch;
    }
    if (this.#end?.silent) await new Promise<void>(() => {});
    if (this.#end?.last !== undefined) yield [this.#end.last];
    if (this.#end?.error !== undefined) throw this.#end.error;
  }
}

describe("an informer in a storm over our server", () => {
  const store = createMemoryStore({ runtime: systemRuntime() });
  const user = { name: "admin", groups: ["system:masters"] };
  let server: ApiServer;
  let client: Client;
  const start = async (): Promise<void> => {
    server = await startApiServer({ runtime: systemRuntime(), store });
    client = createClient({ transport: createInProcessTransport(server, { user }), maxRetries: 0 });
  };
  beforeAll(start);
  afterAll(() => server.stop());

  async function storm(seed: number): Promise<{ cache: string; server: string; handler: string }> {
    const random = createSeededRandom(`storm-${seed}`);
    const clock = createVirtualClock();
    const namespace = `storm-${seed}`;
    await client.core.v1.namespaces().create({ metadata: { name: namespace } });
    const access = () => client.core.v1.configmaps(namespace);
    const open = new Set<FaultyStream>();
    let calm = false;
    let failing = 0;
    const check = (): void => {
      if (calm || failing === 0) return;
      failing--;
      throw (failures[randomInt(failures.length, random)] as () => Error)();
    };
    const listerWatcher: ListerWatcher<ConfigMap> = {
      async list(request, signal) {
        check();
        if (!calm && request.continue !== undefined && random.next() < 0.4)
          throw random.next() < 0.5 ? internalError("half way") : resourceExpired("continue parameter is too old");
        return access().list(request, signal);
      },
      async watch(request, signal) {
        check();
        const stream = new FaultyStream(await access().watch(request, signal));
        open.add(stream);
        return stream;
      },
    };
    const informer = createSharedInformer<ConfigMap>({
      listerWatcher,
      useWatchList: seed % 3 !== 0,
      pageSize: 2,
      runtime: systemRuntime({ clock, random: random.fork("informer") }),
    });
    const view = new Map<string, string>();
    const version = ({ metadata }: { readonly metadata?: { readonly resourceVersion?: string } }): string =>
      metadata?.resourceVersion ?? "";
    informer.addHandler({
      onAdd: (object) => void view.set(object.metadata?.name ?? "", version(object)),
      onUpdate: (_old, object) => void view.set(object.metadata?.name ?? "", version(object)),
      onDelete: ({ metadata }) => void view.delete(metadata?.name ?? ""),
    });

    const stored = new Set<string>();
    async function mutate(): Promise<void> {
      const name = `map-${randomInt(5, random)}`;
      const metadata = { name };
      const data = { value: String(random.next()) };
      if (!stored.has(name)) {
        stored.add(name);
        await access().create({ metadata, data });
      } else if (random.next() < 0.4) {
        stored.delete(name);
        await access().delete(name);
      } else await access().update({ metadata, data });
    }
    const breakAll = (end: Parameters<FaultyStream["break"]>[0]): void => {
      for (const stream of open) stream.break(end);
      open.clear();
    };
    const troubles = [
      () => breakAll({ silent: false, error: new Error("connection cut in the middle of a frame") }),
      () => breakAll({ silent: false }),
      () => breakAll({ silent: true }),
      () => breakAll({ silent: false, last: { type: "ERROR", error: resourceExpired("too old resource version") } }),
      () => breakAll({ silent: false, last: { type: "ERROR", error: internalError("broken") } }),
      () => void (failing = 1 + randomInt(4, random)),
    ];

    for (let i = 0; i < 3; i++) await mutate();
    informer.start();
    for (let round = 0; round < 6; round++) {
      if (random.next() < 0.7) await mutate();
      if (random.next() < 0.6) troubles[randomInt(troubles.length, random)]?.();
      if (round === 3 && seed % restartEvery === 0) {
        breakAll({ silent: false, error: new Error("connection reset by peer") });
        await server.stop();
        await start();
      }
      await clock.advance(randomInt(3000, random));
    }
    calm = true;
    await mutate();
    const { items } = await access().list();
    const content = items.map(version).sort().join();
    const cached = (): string => informer.indexer.list().map(version).sort().join();
    const handled = (): string => [...view.values()].sort().join();
    // A dead watch is noticed when its time is over: ten and a half minutes at most.
    for (let i = 0; i < 400 && (cached() !== content || handled() !== content); i++) {
      await clock.advance(i < 30 ? 500 : 5000);
      await macrotask();
    }
    const outcome = { cache: cached(), server: content, handler: handled() };
    await informer.stop();
    return outcome;
  }

  it(`ends up with the server's content, for each of ${seeds} seeds`, async () => {
    const wrong: number[] = [];
    for (let seed = 0; seed < seeds; seed++) {
      const { cache, server: content, handler } = await storm(seed);
      if (cache !== content || handler !== content) wrong.push(seed);
    }
    expect(wrong).toEqual([]);
  }, 300_000);
});
