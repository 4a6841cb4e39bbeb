import type { EndpointSlice } from "@coxswain/api/discovery/v1";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startTestCluster, type TestCluster } from "../controller/test-cluster.test.support.js";
import { createServedPods, testService } from "../service-endpoints/service-endpoints.test.support.js";
import { endpointSliceController } from "./controller.js";

describe("the endpoint slice controller", () => {
  let cluster: TestCluster;
  beforeEach(async () => {
    cluster = await startTestCluster({ controllers: [endpointSliceController], settings: { maxEndpointsPerSlice: 2 } });
    for (const name of ["n1", "n2"])
      await cluster.client.core.v1
        .nodes()
        .create({ metadata: { name, labels: { "topology.kubernetes.io/zone": `zone-${name}` } } });
  });
  afterEach(() => cluster.stop());

  const services = () => cluster.client.core.v1.services("default");
  const slices = async (): Promise<readonly EndpointSlice[]> =>
    (
      await cluster.client.discovery.v1
        .endpointslices("default")
        .list({ labelSelector: "kubernetes.io/service-name=web" })
    ).items;
  const addresses = async () =>
    (await slices()).map(({ endpoints }) => (endpoints ?? []).flatMap((each) => each.addresses)).sort();
  const createService = (spec = {}) => {
    const { clusterIP: _, ...rest } = testService(spec).spec ?? {};
    return services().create({ metadata: { name: "web" }, spec: rest });
  };
  const threePods = [1, 2, 3].map((n) => ({ name: `p${n}`, ips: [`10.0.0.${n}`] }));

  it("publishes pods in slices, follows them, and goes on after a restart", async () => {
    await createService();
    await cluster.settle();
    expect(await addresses()).toEqual([[]]);
    await createServedPods(cluster.client, threePods);
    await cluster.advance(3_000);
    expect((await addresses()).flat().sort()).toEqual(["10.0.0.1", "10.0.0.2", "10.0.0.3"]);
    expect((await slices()).map(({ endpoints }) => endpoints?.length).sort()).toEqual([1, 2]);
    await cluster.restart();
    await cluster.client.core.v1.pods("default").delete("p1", { gracePeriodSeconds: 0 });
    await cluster.advance(3_000);
    expect((await addresses()).flat().sort()).toEqual(["10.0.0.2", "10.0.0.3"]);
  });

  it("makes a slice anew that somebody deletes or changes", async () => {
    await createService();
    await createServedPods(cluster.client, threePods.slice(0, 1));
    await cluster.advance(3_000);
    const [{ metadata } = {}] = await slices();
    await cluster.client.discovery.v1
      .endpointslices("default")
      .patch(metadata?.name ?? "", { merge: { endpoints: [] } });
    await cluster.advance(3_000);
    expect(await addresses()).toEqual([["10.0.0.1"]]);
    await cluster.client.discovery.v1.endpointslices("default").delete(metadata?.name ?? "");
    await cluster.advance(3_000);
    expect(await addresses()).toEqual([["10.0.0.1"]]);
  });

  it("annotates what triggered the last change", async () => {
    await createService();
    await cluster.settle();
    const [slice] = await slices();
    expect(slice?.metadata?.annotations).toEqual({
      "endpoints.kubernetes.io/last-change-trigger-time": "2026-01-01T00:00:00Z",
    });
  });

  it("gives endpoints their zone and node as hints", async () => {
    await createService({ trafficDistribution: "PreferSameNode" });
    await createServedPods(cluster.client, threePods.slice(0, 1));
    await cluster.advance(3_000);
    const [slice] = await slices();
    expect(slice?.endpoints?.[0]?.hints).toEqual({ forZones: [{ name: "zone-n1" }], forNodes: [{ name: "n1" }] });
  });

  it("leaves services without a selector to others", async () => {
    await services().create({ metadata: { name: "web" }, spec: { ports: [{ port: 80 }] } });
    await cluster.advance(3_000);
    expect(await slices()).toEqual([]);
  });

  it("reports a pod whose node is unknown and publishes it once the node is there", async () => {
    await createService();
    await createServedPods(cluster.client, [{ name: "p", node: "n9" }]);
    await cluster.advance(500);
    const messages = (await cluster.client.core.v1.events("default").list()).items.map(
      ({ reason, message }) => `${reason}: ${message}`,
    );
    expect(messages).toContain(
      "FailedToUpdateEndpointSlices: Error updating Endpoint Slices for Service default/web: skipping Pod p for Service default/web: Node n9 Not Found",
    );
    await cluster.client.core.v1.nodes().create({ metadata: { name: "n9" } });
    await cluster.advance(10_000);
    expect(await addresses()).toEqual([["10.0.0.1"]]);
  });
});
