import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startTestCluster, type TestCluster } from "../controller/test-cluster.test.support.js";
import { resourcePoolStatusRequestController } from "./controller.js";
import { expiryMs, poolStatuses } from "./plan.js";

const now = "2026-01-01T00:00:00Z";
const slice = (
  name: string,
  pool: { name: string; generation?: number; count?: number },
  devices: number,
  nodeName = "n1",
) => ({
  metadata: { name },
  spec: {
    driver: "d.example.com",
    nodeName,
    pool: { name: pool.name, generation: pool.generation ?? 1, resourceSliceCount: pool.count ?? 1 },
    devices: Array.from({ length: devices }, (_, index) => ({ name: `gpu-${index}` })),
  },
});
const request = (spec: object = {}) => ({
  metadata: { name: "r", creationTimestamp: now },
  spec: { driver: "d.example.com", ...spec },
});

describe("the status of pools", () => {
  const pool = (poolName: string, totalDevices: number, allocatedDevices = 0, rest: object = { nodeName: "n1" }) => ({
    driver: "d.example.com",
    poolName,
    generation: 1,
    resourceSliceCount: 1,
    totalDevices,
    allocatedDevices,
    availableDevices: totalDevices - allocatedDevices,
    unavailableDevices: 0,
    ...rest,
  });
  const rows = [
    {
      name: "counts what claims have",
      request: request(),
      slices: [slice("a", { name: "p" }, 3)],
      allocated: 2,
      pools: [pool("p", 3, 2)],
    },
    {
      name: "is of one pool when that is asked for",
      request: request({ poolName: "q" }),
      slices: [slice("a", { name: "p" }, 3), slice("b", { name: "q" }, 1)],
      pools: [pool("q", 1)],
    },
    {
      name: "shows as many as are asked for, by name",
      request: request({ limit: 1 }),
      slices: [slice("b", { name: "q" }, 1), slice("a", { name: "p" }, 3)],
      poolCount: 2,
      pools: [pool("p", 3)],
    },
    {
      name: "ignores older generations",
      request: request(),
      slices: [slice("a", { name: "p", generation: 1 }, 3), slice("b", { name: "p", generation: 2 }, 1)],
      pools: [pool("p", 1, 0, { nodeName: "n1", generation: 2 })],
    },
    {
      name: "names no node where there are several",
      request: request(),
      slices: [slice("a", { name: "p", count: 2 }, 1), slice("b", { name: "p", count: 2 }, 1, "n2")],
      pools: [pool("p", 2, 0, { resourceSliceCount: 2 })],
    },
  ];
  for (const row of rows)
    it(row.name, () => {
      const status = poolStatuses({
        request: row.request,
        slices: row.slices,
        allocated: () => row.allocated ?? 0,
        now,
      });
      expect([status?.poolCount, status?.pools]).toEqual([row.poolCount ?? row.pools.length, row.pools]);
    });
  it("waits for slices that are missing", () =>
    expect(
      poolStatuses({ request: request(), slices: [slice("a", { name: "p", count: 2 }, 1)], allocated: () => 0, now }),
    ).toBeUndefined());
  it("is kept for an hour, and a request without an answer for a day", () => {
    const hours = (each: Parameters<typeof expiryMs>[0]) => (expiryMs(each) - Date.UTC(2026, 0, 1)) / 3_600_000;
    expect([hours(request()), hours({ ...request(), status: { poolCount: 0 } })]).toEqual([24, 1]);
  });
});

describe("the controller of pool status requests", () => {
  let cluster: TestCluster;
  beforeEach(async () => {
    cluster = await startTestCluster({
      controllers: [resourcePoolStatusRequestController],
      api: {
        featureGates: new Map([["DRAResourcePoolStatus", "true"]]),
        runtimeConfig: new Map([["resource.k8s.io/v1alpha3", "true"]]),
      },
    });
  });
  afterEach(() => cluster.stop());

  it("answers once all slices are there, and deletes the answer after an hour", async () => {
    const requests = cluster.client.resource.v1alpha3.resourcepoolstatusrequests();
    const slices = cluster.client.resource.v1.resourceslices();
    await slices.create(slice("a", { name: "p", count: 2 }, 2));
    await requests.create(request());
    await cluster.settle();
    expect((await requests.get("r")).status).toBeUndefined();
    await slices.create(slice("b", { name: "p", count: 2 }, 2));
    await cluster.settle();
    expect((await requests.get("r")).status).toMatchObject({
      poolCount: 1,
      pools: [{ poolName: "p", totalDevices: 4, availableDevices: 4 }],
      conditions: [{ type: "Complete", status: "True", message: "Calculated status for 1 pools" }],
    });
    await cluster.advance(3_601_000);
    expect((await requests.list()).items).toEqual([]);
  });
});
