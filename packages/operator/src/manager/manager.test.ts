import type { ConfigMap } from "@coxswain/api/core/v1";
import { startCluster, type TestCluster } from "@coxswain/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { builtIn, causeText, createManager, type Manager, type ManagerOptions, terminalError } from "../index.js";

const { configmaps } = builtIn.core.v1;

describe("a manager", () => {
  const clusters: TestCluster[] = [];
  afterEach(async () => {
    await Promise.all(clusters.splice(0).map((cluster) => cluster.stop()));
  });
  const start = async (): Promise<TestCluster> => {
    const cluster = await startCluster({ seed: 1, nodes: 0, controllers: [] });
    clusters.push(cluster);
    return cluster;
  };
  const run = (
    cluster: TestCluster,
    name: string,
    setUp: (manager: Manager) => void,
    options: Partial<ManagerOptions> = {},
  ) =>
    cluster.run(name, (client, world) => {
      const manager = createManager({ client, ...world, ...options });
      setUp(manager);
      void manager.start().catch(() => {}); // a killed program has nobody to report to
      return manager;
    });
  const make = (cluster: TestCluster, name: string, data: Record<string, string> = {}): Promise<ConfigMap> =>
    cluster.client.core.v1.configmaps("default").create({ metadata: { name }, data });

  it("reconciles what is there and what comes, once for each change", async () => {
    const cluster = await start();
    await make(cluster, "old");
    const seen: string[] = [];
    await run(cluster, "op", (manager) => {
      manager
        .controller("maps")
        .for(configmaps)
        .reconcile(async (request, context) => {
          const map = await context.get(configmaps, request);
          seen.push(`${request.namespace}/${request.name}=${map?.data?.["v"]}`);
        });
    });
    await cluster.settle();
    await make(cluster, "new", { v: "1" });
    await cluster.settle();
    await cluster.client.core.v1.configmaps("default").patch("new", { merge: { data: { v: "2" } } });
    await cluster.settle();
    await cluster.client.core.v1.configmaps("default").delete("new");
    await cluster.settle();
    expect(seen.filter((line) => line.startsWith("default/"))).toEqual([
      "default/old=undefined",
      "default/new=1",
      "default/new=2",
      "default/new=undefined",
    ]);
  });

  it("names the writes that woke it, and who wrote", async () => {
    const cluster = await start();
    const causes: string[] = [];
    await run(cluster, "op", (manager) => {
      manager
        .controller("maps")
        .for(configmaps, { predicates: [({ object }) => object.metadata?.namespace === "default"] })
        .reconcile((request) => void causes.push(...request.causes.map(causeText)));
    });
    await cluster.settle();
    const maps = cluster.client.core.v1.configmaps("default");
    const { metadata } = await maps.create({ metadata: { name: "a" }, data: { v: "1" } }, { fieldManager: "maker" });
    await cluster.settle();
    await maps.patch("a", { merge: { data: { v: "2" } } }, { fieldManager: "changer" });
    await cluster.settle();
    expect(causes[0]).toBe(`create configmaps.v1 default/a@${metadata?.resourceVersion} by maker`);
    expect(causes[1]).toMatch(/^update configmaps\.v1 default\/a@\d+ by changer$/);
  });

  it("tries again after an error, later each time, and not after a terminal one", async () => {
    const cluster = await start();
    const at: string[] = [];
    await run(cluster, "op", (manager) => {
      manager
        .controller("maps")
        .for(configmaps, { predicates: [({ object }) => object.metadata?.namespace === "default"] })
        .reconcile((request, context) => {
          at.push(`${request.name} ${context.now() - Date.UTC(2026, 0, 1)} ${request.causes.at(-1)?.type}`);
          if (request.name === "final") throw terminalError("no");
          if (request.retries < 3) throw new Error("not yet");
          return undefined;
        });
    });
    await cluster.settle();
    const begin = cluster.clock.now() - Date.UTC(2026, 0, 1);
    await make(cluster, "flaky");
    await make(cluster, "final");
    await cluster.clock.advance("10s");
    expect(at.map((line) => line.replace(/ (\d+) /, (_, ms) => ` +${Number(ms) - begin} `))).toEqual([
      "flaky +0 create",
      "final +0 create",
      "flaky +5 retry",
      "flaky +15 retry",
      "flaky +35 retry",
    ]);
  });

  it("requeues after the time that the result asks for", async () => {
    const cluster = await start();
    const at: number[] = [];
    await make(cluster, "a");
    await run(cluster, "op", (manager) => {
      manager
        .controller("maps")
        .for(configmaps, { predicates: [({ object }) => object.metadata?.name === "a"] })
        .reconcile((_, context) => {
          at.push(context.now());
          return { requeueAfterMs: 30_000 };
        });
    });
    await cluster.settle();
    await cluster.clock.advance("65s");
    expect(at.map((ms) => ms - (at[0] as number))).toEqual([0, 30_000, 60_000]);
  });

  it("wakes owners, and those that a mapping names", async () => {
    const cluster = await start();
    const seen: string[] = [];
    const secrets = builtIn.core.v1.secrets;
    await run(cluster, "op", (manager) => {
      manager
        .controller("maps")
        .for(configmaps, { predicates: [() => false] })
        .owns(secrets)
        .watches(builtIn.core.v1.services, (service) => [
          { namespace: "default", name: `of-${service.metadata?.name}` },
        ])
        .reconcile((request) => void seen.push(request.name));
    });
    const owner = await make(cluster, "owner");
    const reference = {
      apiVersion: "v1",
      kind: "ConfigMap",
      name: "owner",
      uid: owner.metadata?.uid ?? "",
      controller: true,
    };
    await cluster.client.core.v1.secrets("default").create({ metadata: { name: "s", ownerReferences: [reference] } });
    await cluster.client.core.v1.secrets("default").create({
      metadata: { name: "t", ownerReferences: [{ ...reference, controller: false }] },
    });
    await cluster.settle();
    expect(seen).toEqual(["of-kubernetes", "owner"]);
  });

  it("reads show its own writes before the server has sent them", async () => {
    const cluster = await start();
    const seen: unknown[] = [];
    await make(cluster, "a", { v: "0" });
    await run(cluster, "op", (manager) => {
      manager
        .controller("maps")
        .for(configmaps, { predicates: [({ object }) => object.metadata?.name === "a"] })
        .reconcile(async (request, context) => {
          const map = await context.get(configmaps, request);
          if (map?.data?.["v"] !== "0") return;
          const maps = context.resource(configmaps, request.namespace);
          // In one burst, in which no event can come in.
          const labels = { made: "here" };
          await maps.patch("a", { merge: { data: { v: "1" } } });
          await maps.create({ metadata: { name: "b", labels } });
          seen.push((await context.get(configmaps, request))?.data?.["v"]);
          seen.push((await context.list(configmaps, { labels })).map(({ metadata }) => metadata?.name));
          await maps.delete("b");
          seen.push(await context.get(configmaps, { namespace: "default", name: "b" }));
          seen.push((await context.list(configmaps, { labels })).length);
        });
    });
    await cluster.settle();
    expect(seen).toEqual(["1", ["b"], undefined, 0]);
  });

  it("refuses an update that would overwrite whatever is there", async () => {
    const cluster = await start();
    await make(cluster, "a");
    let error: unknown;
    await run(cluster, "op", (manager) => {
      manager
        .controller("maps")
        .for(configmaps, { predicates: [({ object }) => object.metadata?.name === "a"] })
        .reconcile(async (request, context) => {
          error = await context
            .resource(configmaps, request.namespace)
            .update({ metadata: { name: "a" } })
            .catch((reason: unknown) => reason);
        });
    });
    await cluster.settle();
    expect(String(error)).toContain("has no metadata.resourceVersion");
  });

  it("of two replicas one reconciles, and the other takes over when it stops", async () => {
    const cluster = await start();
    const seen: string[] = [];
    const managers: Manager[] = [];
    const replica = (name: string) =>
      run(
        cluster,
        name,
        (manager) => {
          managers.push(manager);
          manager
            .controller("maps")
            .for(configmaps, { predicates: [({ object }) => object.metadata?.namespace === "default"] })
            .reconcile((request) => void seen.push(`${name} ${request.name}`));
        },
        { leaderElection: { id: "op", namespace: "default", identity: name } },
      );
    await replica("first");
    await cluster.settle();
    await replica("second");
    await make(cluster, "a");
    await cluster.clock.advance("1m");
    expect(seen).toEqual(["first a"]);
    await managers[0]?.stop();
    await cluster.clock.advance("5s");
    expect(seen).toEqual(["first a", "second a"]);
  });

  it("reconciles a cluster that is added while it runs, and no longer one that is removed", async () => {
    const [home, east] = [await start(), await start()];
    const seen: string[] = [];
    let manager: Manager | undefined;
    await run(home, "op", (made) => {
      manager = made;
      made
        .controller("maps")
        .for(configmaps, { predicates: [({ object }) => object.metadata?.namespace === "default"] })
        .reconcile(async (request, context) => {
          const map = await context.cluster(request.cluster).get(configmaps, request);
          seen.push(`${request.cluster}/${request.name}=${map?.data?.["v"]}`);
        });
    });
    await home.settle();
    await make(east, "before", { v: "1" });
    await manager?.clusters.add("east", east.client);
    const both = async (): Promise<void> => {
      // A change passes through two clusters: each waits only for what it knows of.
      for (let round = 0; round < 5; round++) await Promise.all([home.settle(), east.settle()]);
    };
    await both();
    await make(east, "after", { v: "2" });
    await make(home, "here", { v: "3" });
    await both();
    expect(seen.sort()).toEqual(["/here=3", "east/after=2", "east/before=1"]);
    expect(manager?.clusters.names).toEqual(["", "east"]);
    await manager?.clusters.remove("east");
    await make(east, "gone");
    await both();
    expect(seen).toHaveLength(3);
    await expect(manager?.clusters.remove("")).rejects.toThrow("own cluster cannot be removed");
    await expect(manager?.clusters.add("a/b", east.client)).rejects.toThrow("is no name of a cluster");
  });

  it("a span covers each reconcile, with its object, what woke it, and its error", async () => {
    const cluster = await start();
    const spans: {
      name: string;
      attributes: Record<string, unknown>;
      status?: unknown;
      error?: string;
      ended: boolean;
    }[] = [];
    const tracer: NonNullable<ManagerOptions["tracer"]> = {
      startSpan(name, { attributes }) {
        const span: (typeof spans)[number] = { name, attributes: { ...attributes }, ended: false };
        spans.push(span);
        return {
          setAttribute: (key, value) => void (span.attributes[key] = value),
          setStatus: (status) => void (span.status = status),
          recordException: (error) => void (span.error = error.message),
          spanContext: () => ({ traceId: "0".repeat(32), spanId: "0".repeat(16), traceFlags: 0 }),
          end: () => void (span.ended = true),
        };
      },
    };
    await run(
      cluster,
      "op",
      (manager) => {
        manager
          .controller("maps")
          .for(configmaps, { predicates: [({ object }) => object.metadata?.namespace === "default"] })
          .reconcile((request) => {
            if (request.name === "bad" && request.retries === 0) throw new Error("not yet");
          });
      },
      { tracer },
    );
    await cluster.settle();
    const { metadata } = await make(cluster, "good");
    await make(cluster, "bad");
    await cluster.clock.advance("1s");
    const of = (name: string) => spans.filter(({ attributes }) => attributes["k8s.object.name"] === name);
    expect(of("good")).toEqual([
      {
        name: "reconcile maps",
        ended: true,
        attributes: {
          "k8s.controller": "maps",
          "k8s.cluster.name": "",
          "k8s.namespace.name": "default",
          "k8s.object.name": "good",
          "reconcile.id": expect.stringMatching(/^[0-9a-f-]{36}$/),
          "reconcile.retries": 0,
          "reconcile.causes": `create configmaps.v1 default/good@${metadata?.resourceVersion}`,
        },
      },
    ]);
    expect(of("bad").map(({ error, status, ended }) => ({ error, status, ended }))).toEqual([
      { error: "not yet", status: { code: 2, message: "not yet" }, ended: true },
      { error: undefined, status: undefined, ended: true },
    ]);
    expect(of("bad")[1]?.attributes).toMatchObject({
      "reconcile.retries": 1,
      "reconcile.causes": expect.stringContaining("retry"),
    });
  });
});
