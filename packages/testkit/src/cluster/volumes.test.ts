import type { StatefulSet } from "@coxswain/api/apps/v1";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startCluster } from "./start-cluster.js";
import type { TestCluster } from "./test-cluster.js";

const labels = { app: "db" };

/** A StatefulSet of one pod with a claim at /data. */
const database = (script: string, storage = "1Gi"): StatefulSet => ({
  metadata: { name: "db" },
  spec: {
    serviceName: "db",
    selector: { matchLabels: labels },
    template: {
      metadata: { labels },
      spec: {
        terminationGracePeriodSeconds: 0,
        containers: [
          {
            name: "db",
            image: "postgres",
            command: ["sh", "-c", script],
            volumeMounts: [{ name: "data", mountPath: "/data" }],
          },
        ],
      },
    },
    volumeClaimTemplates: [
      { metadata: { name: "data" }, spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage } } } },
    ],
  },
});

describe("volumes of simulated nodes", { timeout: 30_000 }, () => {
  let cluster: TestCluster;
  beforeEach(async () => void (cluster = await startCluster({ seed: 1 })));
  afterEach(() => cluster.stop());

  const create = async (script: string, storage?: string): Promise<void> => {
    await cluster.client.apps.v1.statefulsets("default").create(database(script, storage));
    await cluster.clock.advance("5s");
  };
  const logs = async (): Promise<string> => {
    const path = "/api/v1/namespaces/default/pods/db-0/log";
    return new TextDecoder().decode(await (await cluster.client.rest.open({ method: "GET", path })).bytes());
  };
  const volumes = async () => (await cluster.client.core.v1.persistentvolumes().list()).items;

  it("keep what a pod wrote for the pods that come after it, also when the server and its nodes are killed", async () => {
    await create("echo run >> /data/runs; cat /data/runs; sleep 10000");
    expect(await logs()).toBe("run\n");
    await cluster.client.core.v1.pods("default").delete("db-0");
    await cluster.clock.advance("5s");
    expect(await logs()).toBe("run\nrun\n");
    await cluster.killServer();
    await cluster.client.core.v1.pods("default").delete("db-0");
    await cluster.clock.advance("5s");
    expect(await logs()).toBe("run\nrun\nrun\n");
  });

  it("hold no more than their claim asks for, until it asks for more", async () => {
    const fill = "while echo 0123456789012345678901234567890123456789 >> /data/full; do :; done";
    await create(`${fill}; sleep 60; echo more >> /data/full && echo fits; sleep 1000`, "1Ki");
    expect(await logs()).toMatch(/No space left on device\n$/);
    const claims = cluster.client.core.v1.persistentvolumeclaims("default");
    await claims.patch("data-db-0", { merge: { spec: { resources: { requests: { storage: "2Ki" } } } } });
    await cluster.settle();
    expect((await claims.get("data-db-0")).status?.capacity).toEqual({ storage: "2Ki" });
    await cluster.client.core.v1.pods("default").delete("db-0");
    await cluster.clock.advance("5s");
    expect((await volumes()).map(({ spec }) => spec?.capacity)).toEqual([{ storage: "2Ki" }]);
  });

  it("go with their claim, files first", async () => {
    await create("echo old > /data/x; sleep 10000");
    await cluster.client.apps.v1.statefulsets("default").delete("db");
    await cluster.client.core.v1.persistentvolumeclaims("default").delete("data-db-0");
    await cluster.clock.advance("5s");
    expect(await volumes()).toEqual([]);
    const { items } = await cluster.client.core.v1.nodes().list();
    expect(items.flatMap(({ metadata }) => Object.keys(metadata?.annotations ?? {})).join()).not.toMatch(/local-path/);
    await create("ls /data; echo done; sleep 10000");
    expect(await logs()).toBe("done\n");
  });

  it("stay with the policy Retain", async () => {
    await create("echo old > /data/x; sleep 10000");
    const [{ metadata } = {}] = await volumes();
    await cluster.client.core.v1
      .persistentvolumes()
      .patch(metadata?.name ?? "", { merge: { spec: { persistentVolumeReclaimPolicy: "Retain" } } });
    await cluster.client.apps.v1.statefulsets("default").delete("db");
    await cluster.client.core.v1.persistentvolumeclaims("default").delete("data-db-0");
    await cluster.clock.advance("5s");
    expect((await volumes()).map(({ status }) => status?.phase)).toEqual(["Released"]);
  });

  it("of one pod alone keep a second one waiting", async () => {
    await cluster.client.core.v1.persistentvolumeclaims("default").create({
      metadata: { name: "one" },
      spec: { accessModes: ["ReadWriteOncePod"], resources: { requests: { storage: "1Mi" } } },
    });
    for (const name of ["a", "b"])
      await cluster.client.core.v1.pods("default").create({
        metadata: { name },
        spec: {
          containers: [{ name: "c", image: "app" }],
          volumes: [{ name: "v", persistentVolumeClaim: { claimName: "one" } }],
        },
      });
    await cluster.clock.advance("5s");
    const { items } = await cluster.client.core.v1.pods("default").list();
    expect(items.map(({ status }) => status?.phase).sort()).toEqual(["Pending", "Running"]);
  });

  it("are not made from snapshots, and an event shows why", async () => {
    await cluster.client.core.v1.persistentvolumeclaims("default").create({
      metadata: { name: "clone" },
      spec: {
        accessModes: ["ReadWriteOnce"],
        resources: { requests: { storage: "1Mi" } },
        dataSource: { kind: "PersistentVolumeClaim", name: "other" },
      },
    });
    await cluster.client.core.v1.pods("default").create({
      metadata: { name: "a" },
      spec: {
        containers: [{ name: "c", image: "app" }],
        volumes: [{ name: "v", persistentVolumeClaim: { claimName: "clone" } }],
      },
    });
    await cluster.clock.advance("5s");
    const { items } = await cluster.client.core.v1.events("default").list();
    expect(items.find(({ reason }) => reason === "ProvisioningFailed")?.message).toMatch(/snapshots and clones/);
  });
});
