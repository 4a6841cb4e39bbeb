import type { StorageVersion } from "@coxswain/api/apiserverinternal/v1alpha1";
import { afterEach, describe, expect, it } from "vitest";
import { startTestCluster, type TestCluster } from "../controller/test-cluster.test.support.js";
import { storageVersionGarbageCollectorController } from "./controller.js";
import { planVersion } from "./plan.js";

const record = (servers: Record<string, string>): StorageVersion => ({
  metadata: { name: "apps.deployments", generation: 3 },
  spec: {},
  status: {
    storageVersions: Object.entries(servers).map(([apiServerID, encodingVersion]) => ({
      apiServerID,
      encodingVersion,
      decodableVersions: [encodingVersion],
      servedVersions: [encodingVersion],
    })),
  },
});

describe("what becomes of a record of stored versions", () => {
  const plan = (servers: Record<string, string>, ...running: string[]) =>
    planVersion(record(servers), { isRunning: (server) => running.includes(server), now: "now" });
  it("it stays while all its servers run", () => expect(plan({ a: "v1" }, "a").kind).toBe("keep"));
  it("it goes with the last of them", () => expect(plan({ a: "v1" }).kind).toBe("delete"));
  it("servers that run no more are taken out, and the others may agree then", () => {
    expect(plan({ a: "v1", b: "v2" }, "b")).toMatchObject({
      kind: "update",
      status: {
        commonEncodingVersion: "v2",
        storageVersions: [{ apiServerID: "b" }],
        conditions: [
          {
            type: "AllEncodingVersionsEqual",
            status: "True",
            reason: "CommonEncodingVersionSet",
            message: "Common encoding version set",
            observedGeneration: 3,
            lastTransitionTime: "now",
          },
        ],
      },
    });
  });
  it("or not", () =>
    expect(plan({ a: "v1", b: "v2", c: "v1" }, "a", "b")).toMatchObject({
      status: { conditions: [{ status: "False", reason: "CommonEncodingVersionUnset" }] },
    }));
});

describe("the collector of stored versions", () => {
  let cluster: TestCluster;
  afterEach(() => cluster.stop());

  it("takes out a server whose lease goes, also after a restart", async () => {
    cluster = await startTestCluster({
      controllers: [storageVersionGarbageCollectorController],
      api: {
        featureGates: new Map([["StorageVersionAPI", "true"]]),
        runtimeConfig: new Map([["internal.apiserver.k8s.io/v1alpha1", "true"]]),
      },
    });
    const { client } = cluster;
    const leases = client.coordination.v1.leases("kube-system");
    const labels = { "apiserver.kubernetes.io/identity": "kube-apiserver" };
    for (const name of ["a", "b"]) await leases.create({ metadata: { name, labels }, spec: { holderIdentity: name } });
    const versions = client.apiserverinternal.v1alpha1.storageversions();
    const { status, ...created } = record({ a: "v1", b: "v2" });
    await versions.create(created);
    await versions.updateStatus({ ...(await versions.get("apps.deployments")), ...(status && { status }) });
    await cluster.settle();
    const servers = async () =>
      (await versions.get("apps.deployments")).status?.storageVersions?.map(({ apiServerID }) => apiServerID);
    expect(await servers()).toEqual(["a", "b"]);
    await leases.delete("a");
    await cluster.settle();
    expect(await servers()).toEqual(["b"]);
    const restarted = cluster.restart();
    await leases.delete("b");
    await restarted;
    await cluster.settle();
    expect((await versions.list()).items).toEqual([]);
  });
});
