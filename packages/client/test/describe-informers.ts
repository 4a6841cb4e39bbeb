import type { ConfigMap } from "@coxswain/api/core/v1";
import type { Client } from "@coxswain/client";
import { createEventBroadcaster, createEventSink, createSeriesEventBroadcaster } from "@coxswain/client/events";
import {
  createLatch,
  createLister,
  createSharedInformer,
  createSharedInformerFactory,
  waitUntil,
} from "@coxswain/client/informers";
import { createLeaderElector, createLeaseLock } from "@coxswain/client/leader-election";
import { createRateLimitingQueue, runWorkers } from "@coxswain/client/queue";
import { retryOnConflict } from "@coxswain/client/retry";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

export interface OpenedCluster {
  readonly client: Client;
  close(): Promise<void>;
}

/** Informers, queues, leader election and events against a server that is really there. */
export function describeInformers(name: string, open: () => Promise<OpenedCluster>, { skip = false } = {}): void {
  if (skip) console.warn(`SKIPPED: informers were not tested against ${name}: it is not built on this machine`);
  describe.skipIf(skip)(`informers and their kin: ${name}`, () => {
    let cluster: OpenedCluster;
    let client: Client;
    let namespaces = 0;
    beforeAll(async () => {
      cluster = await open();
      ({ client } = cluster);
    });
    afterAll(() => cluster.close());

    async function inNamespace(): Promise<string> {
      const made = `informers-${++namespaces}`;
      await client.core.v1.namespaces().create({ metadata: { name: made } });
      return made;
    }
    const configMap = (object: string, value: string): ConfigMap => ({
      metadata: { name: object, labels: { value } },
      data: { value },
    });

    for (const [way, options, initialAdd] of [
      ["a stream", {}, /^add! map-/],
      // The first list comes from the server's cache, which may lack the last writes: they follow as events.
      ["pages", { useWatchList: false, pageSize: 3 }, /^add!? map-/],
    ] as const)
      it(`an informer syncs by ${way} and follows every change`, async () => {
        const namespace = await inNamespace();
        const access = client.core.v1.configmaps(namespace);
        for (let i = 0; i < 8; i++) await access.create(configMap(`map-${i}`, "1"));
        const informer = createSharedInformer<ConfigMap>({ listerWatcher: access, ...options });
        const log: string[] = [];
        const seen = createLatch();
        informer.addHandler({
          onAdd: ({ metadata }, initial) => void log.push(`add${initial ? "!" : ""} ${metadata?.name}`),
          onUpdate: (_old, { metadata, data }) => void log.push(`update ${metadata?.name} ${data?.["value"]}`),
          onDelete({ metadata }) {
            log.push(`delete ${metadata?.name}`);
            seen.open();
          },
        });
        informer.start();
        await informer.whenSynced();
        const lister = createLister(informer.indexer).namespace(namespace);
        expect(lister.get("map-3")?.data?.["value"]).toBe("1");
        await access.create(configMap("late", "1"));
        await access.update(configMap("late", "2"));
        await access.delete("late");
        await seen.wait();
        expect(log.filter((line) => line.endsWith("late") || line.includes(" late "))).toEqual([
          "add late",
          "update late 2",
          "delete late",
        ]);
        expect(log.filter((line) => initialAdd.test(line))).toHaveLength(8);
        expect(informer.health.state.at).toBe("watching");
        await informer.stop();
      });

    it("a factory of dynamic clients caches any resource, filtered", async () => {
      const namespace = await inNamespace();
      const access = client.core.v1.configmaps(namespace);
      await access.create(configMap("one", "wanted"));
      await access.create(configMap("two", "other"));
      const factory = createSharedInformerFactory({
        listerWatcher: (resource, inside) => client.dynamic(resource, inside),
        namespace,
        filter: { labelSelector: "value=wanted" },
      });
      const lister = factory.lister<ConfigMap>({ group: "", version: "v1", resource: "configmaps" });
      factory.start();
      await factory.whenSynced();
      expect(lister.list().map(({ metadata }) => metadata?.name)).toEqual(["one"]);
      await factory.stop();
    });

    it("a factory of metadata clients caches metadata of all namespaces", async () => {
      const namespace = await inNamespace();
      await client.core.v1.configmaps(namespace).create(configMap("light", "1"));
      const factory = createSharedInformerFactory({
        listerWatcher: (resource, inside) => client.metadata(resource, inside),
      });
      const lister = factory.lister({ group: "", version: "v1", resource: "configmaps" });
      factory.start();
      await factory.whenSynced();
      const cached = lister.namespace(namespace).get("light");
      expect([cached?.metadata?.labels, cached?.["data"]]).toEqual([{ value: "1" }, undefined]);
      await factory.stop();
    });

    it("keys go through a queue to a worker that retries conflicts", async () => {
      const namespace = await inNamespace();
      const access = client.core.v1.configmaps(namespace);
      const informer = createSharedInformer<ConfigMap>({ listerWatcher: access });
      const queue = createRateLimitingQueue<string>();
      const stop = new AbortController();
      informer.addHandler({ onAdd: ({ metadata }) => queue.add(metadata?.name ?? "") });
      informer.start();
      const working = runWorkers({
        queue,
        workers: 2,
        signal: stop.signal,
        work: async (name) => {
          await retryOnConflict(async () => {
            const current = await access.get(name);
            await access.update({ ...current, data: { ...current.data, done: "yes" } });
          });
        },
      });
      await access.create(configMap("job", "1"));
      const event = await waitUntil<ConfigMap>({
        listerWatcher: access,
        condition: ({ object }) => object.metadata?.name === "job" && object.data?.["done"] === "yes",
        timeoutMs: 15_000,
      });
      expect(event?.object.metadata?.name).toBe("job");
      stop.abort();
      await working;
      await informer.stop();
    });

    it("one of two electors leads, and the other when it stops", async () => {
      const namespace = await inNamespace();
      const leases = client.coordination.v1.leases(namespace);
      const stand = (identity: string) => {
        const ending = new AbortController();
        const led = createLatch();
        const elector = createLeaderElector({
          lock: createLeaseLock({ leases, namespace, name: "work", identity }),
          leaseDurationMs: 3000,
          renewDeadlineMs: 2000,
          retryPeriodMs: 100,
          lead: () => led.open(),
        });
        const running = elector.run(ending.signal);
        const stop = async (): Promise<void> => {
          ending.abort();
          await running;
        };
        return { elector, led: led.wait(), stop };
      };
      const first = stand("first");
      await first.led;
      const second = stand("second");
      expect((await leases.get("work")).spec).toMatchObject({ holderIdentity: "first", leaseTransitions: 0 });
      expect(second.elector.isLeader).toBe(false);
      await first.stop();
      await second.led;
      expect((await leases.get("work")).spec).toMatchObject({ holderIdentity: "second", leaseTransitions: 1 });
      await second.stop();
    });

    it("recorders write events that the server accepts", async () => {
      const namespace = await inNamespace();
      const about = await client.core.v1.configmaps(namespace).create(configMap("subject", "1"));
      const object = { ...about, kind: "ConfigMap" as const, apiVersion: "v1" as const };
      const errors: unknown[] = [];
      const onError = (error: unknown): void => void errors.push(error);
      const core = createEventBroadcaster({
        sink: createEventSink((inside) => client.core.v1.events(inside)),
        onError,
      });
      const recorder = core.recorder({ component: "tester" });
      for (let i = 0; i < 3; i++) recorder.event(object, { type: "Normal", reason: "Tested", message: "well" });
      const series = createSeriesEventBroadcaster({
        sink: createEventSink((inside) => client.events.v1.events(inside)),
        onError,
      });
      const reporter = series.recorder({ reportingController: "example.com/tester", reportingInstance: "tester-1" });
      for (let i = 0; i < 3; i++)
        reporter.event(object, { type: "Warning", reason: "Tested", action: "Testing", note: "again" });
      await core.flush();
      await series.flush();
      expect(errors).toEqual([]);
      const { items } = await client.core.v1.events(namespace).list();
      expect(items.map(({ type, count }) => `${type} ${count ?? "series"}`).sort()).toEqual([
        "Normal 3",
        "Warning series",
      ]);
      expect(items.find(({ type }) => type === "Warning")?.series?.count).toBe(2);
      await core.stop();
      await series.stop();
    });
  });
}
