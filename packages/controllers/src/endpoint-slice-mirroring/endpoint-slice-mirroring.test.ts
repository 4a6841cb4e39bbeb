import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startTestCluster, type TestCluster } from "../controller/test-cluster.test.support.js";
import { endpointSliceMirroringController } from "./controller.js";

describe("the mirroring controller", () => {
  let cluster: TestCluster;
  beforeEach(async () => {
    cluster = await startTestCluster({
      controllers: [endpointSliceMirroringController],
      settings: { mirroringMaxEndpointsPerSubset: 2 },
    });
    await cluster.client.core.v1
      .services("default")
      .create({ metadata: { name: "db" }, spec: { ports: [{ port: 80 }] } });
  });
  afterEach(() => cluster.stop());
  const endpoints = () => cluster.client.core.v1.endpoints("default");
  const slices = async () =>
    (
      await cluster.client.discovery.v1
        .endpointslices("default")
        .list({ labelSelector: "kubernetes.io/service-name=db" })
    ).items;
  const addresses = async () =>
    (await slices()).map((slice) => (slice.endpoints ?? []).flatMap((each) => each.addresses));
  const subsets = (...ips: string[]) => [{ addresses: ips.map((ip) => ({ ip })), ports: [{ port: 5432 }] }];

  it("follows Endpoints, repairs slices, and removes them when the Endpoints go", async () => {
    await endpoints().create({ metadata: { name: "db" }, subsets: subsets("192.0.2.1") });
    await cluster.advance(2_000);
    expect(await addresses()).toEqual([["192.0.2.1"]]);
    await endpoints().patch("db", { merge: { subsets: subsets("192.0.2.1", "192.0.2.2") } });
    await cluster.advance(2_000);
    expect(await addresses()).toEqual([["192.0.2.1", "192.0.2.2"]]);
    await cluster.restart();
    const [slice] = await slices();
    await cluster.client.discovery.v1.endpointslices("default").delete(slice?.metadata?.name ?? "");
    await cluster.advance(2_000);
    expect(await addresses()).toEqual([["192.0.2.1", "192.0.2.2"]]);
    await endpoints().delete("db");
    await cluster.advance(2_000);
    expect(await slices()).toEqual([]);
  });

  it("removes them when the service gets a selector", async () => {
    await endpoints().create({ metadata: { name: "db" }, subsets: subsets("192.0.2.1") });
    await cluster.advance(2_000);
    await cluster.client.core.v1.services("default").patch("db", { merge: { spec: { selector: { app: "db" } } } });
    await cluster.advance(2_000);
    expect(await slices()).toEqual([]);
  });

  it("reports addresses that are too many", async () => {
    await endpoints().create({ metadata: { name: "db" }, subsets: subsets("192.0.2.1", "192.0.2.2", "192.0.2.3") });
    await cluster.advance(2_000);
    const events = (await cluster.client.core.v1.events("default").list()).items;
    expect(events.map(({ reason, message }) => `${reason}: ${message}`)).toEqual([
      "TooManyAddressesToMirror: A max of 2 addresses can be mirrored to EndpointSlices per Endpoints subset. 1 addresses were skipped",
    ]);
  });
});
