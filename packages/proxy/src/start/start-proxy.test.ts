import type { Service } from "@coxswain/api/core/v1";
import type { EndpointSlice } from "@coxswain/api/discovery/v1";
import { afterEach, describe, expect, it } from "vitest";
import { completeConfig } from "../config/complete-config.js";
import type { ConfigDocument } from "../config/config-types.js";
import type { ConntrackEntry } from "../conntrack/conntrack-entry.js";
import { startProxy } from "./start-proxy.js";
import { openTestServer } from "./test-server.test.support.js";

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A proxy of the node "here" against an API server in this process; nft and conntrack only take notes. */
async function open(document: ConfigDocument = {}) {
  const server = await openTestServer();
  closing.push(() => server.stop());
  const { client, runtime, advance, metrics } = server;
  await client.core.v1.nodes().create({ metadata: { name: "here" } });
  const node = await client.core.v1.nodes().get("here");
  await client.core.v1
    .nodes()
    .updateStatus({ ...node, status: { addresses: [{ type: "InternalIP", address: "192.168.0.2" }] } });
  const transactions: string[] = [];
  const removed: string[] = [];
  const flows: ConntrackEntry[] = [];
  const proxy = startProxy(runtime, {
    client,
    config: completeConfig(document),
    nodeName: "here",
    families: ["IPv4"],
    nft: { run: async (text) => void transactions.push(text), list: async () => undefined },
    conntrack: {
      list: async () => flows,
      remove: async (_family, entry) => void removed.push(`${entry.originalAddress} ${entry.replyAddress}`),
    },
  });
  closing.push(() => proxy.stop());
  await advance(2_000);
  await proxy.ready;
  return { client, proxy, metrics, transactions, flows, removed, advance, last: () => transactions.at(-1) ?? "" };
}

const web = (spec: Service["spec"] = {}): Service => ({
  metadata: { name: "web" },
  spec: { clusterIP: "10.96.0.50", ports: [{ name: "p", port: 80, protocol: "TCP" }], ...spec },
});
const slice = (addresses: string[], protocol: "TCP" | "UDP" = "TCP"): EndpointSlice => ({
  metadata: { name: "web-1", labels: { "kubernetes.io/service-name": "web" } },
  addressType: "IPv4",
  ports: [{ name: "p", port: 8080, protocol }],
  endpoints: addresses.map((address) => ({ addresses: [address], conditions: { ready: true } })),
});

describe("the proxy against an API server", () => {
  it("writes the table once everything is known, and then what changes", async () => {
    const { client, transactions, advance, last, proxy } = await open();
    expect(transactions).toHaveLength(1);
    expect(last()).toContain("add table ip coxswain-proxy");
    expect(proxy.health.isWritten).toBe(true);
    await client.core.v1.services("default").create(web());
    await advance(2_000);
    expect(last()).toContain(
      "add element ip coxswain-proxy no-endpoints { 10.96.0.50 . tcp . 80 : goto reject-chain }",
    );
    await client.discovery.v1.endpointslices("default").create(slice(["10.1.0.1", "10.1.0.2"]));
    await advance(2_000);
    expect(last()).toContain(
      "tcp-backends { 10.96.0.50 . 80 . 0 : 10.1.0.1 . 8080, 10.96.0.50 . 80 . 1 : 10.1.0.2 . 8080 }",
    );
    const count = transactions.length;
    const stored = await client.discovery.v1.endpointslices("default").get("web-1");
    await client.discovery.v1
      .endpointslices("default")
      .update({ ...stored, metadata: { ...stored.metadata, annotations: { a: "b" } } });
    await advance(2_000);
    expect(transactions).toHaveLength(count);
    await client.core.v1.services("default").delete("web");
    await advance(2_000);
    expect(last()).toContain("delete element ip coxswain-proxy frontends { 10.96.0.50 . tcp . 80 }");
  });

  it("drops what is in the services' networks and no service's", async () => {
    const { transactions } = await open();
    expect(transactions[0]).toContain("cluster-ips-check ip daddr { 10.96.0.0/16 } drop");
  });

  it("removes flows of UDP to an endpoint that went", async () => {
    const { client, advance, flows, removed } = await open();
    const flow = { protocol: "udp" as const, originalAddress: "10.96.0.50", originalPort: 80, replyPort: 8080 };
    flows.push({ ...flow, replyAddress: "10.1.0.1" }, { ...flow, replyAddress: "10.1.0.2" });
    await client.core.v1.services("default").create(web({ ports: [{ name: "p", port: 80, protocol: "UDP" }] }));
    const made = await client.discovery.v1.endpointslices("default").create(slice(["10.1.0.1", "10.1.0.2"], "UDP"));
    await advance(2_000);
    expect(removed).toEqual([]);
    await client.discovery.v1
      .endpointslices("default")
      .update({ ...made, endpoints: slice(["10.1.0.2"]).endpoints ?? [] });
    await advance(2_000);
    expect(removed).toEqual(["10.96.0.50 10.1.0.1"]);
  });

  it("services of another proxy and headless ones are not there", async () => {
    const { client, advance, transactions } = await open();
    await client.core.v1.services("default").create({
      ...web({ clusterIP: "10.96.0.51" }),
      metadata: { name: "other", labels: { "service.kubernetes.io/service-proxy-name": "x" } },
    });
    await client.core.v1.services("default").create({ ...web({ clusterIP: "None" }), metadata: { name: "headless" } });
    await advance(2_000);
    expect(transactions).toHaveLength(1);
  });

  it("another zone of the node chooses other endpoints", async () => {
    const { client, advance, last } = await open();
    await client.core.v1.services("default").create(web());
    const hinted = slice(["10.1.0.1", "10.1.0.2"]);
    const zones = ["a", "b"];
    const endpoints = (hinted.endpoints ?? []).map((one, at) => ({
      ...one,
      hints: { forZones: [{ name: zones[at] ?? "" }] },
    }));
    await client.discovery.v1.endpointslices("default").create({ ...hinted, endpoints });
    await advance(2_000);
    expect(last()).toContain("goto tcp-to-2");
    await client.core.v1
      .nodes()
      .patch("here", { merge: { metadata: { labels: { "topology.kubernetes.io/zone": "b" } } } });
    await advance(2_000);
    expect(last()).toContain("tcp-backends { 10.96.0.50 . 80 . 0 : 10.1.0.2 . 8080 }");
  });

  it("counts under kube-proxy's names", async () => {
    const { client, advance, metrics } = await open();
    await client.core.v1.services("default").create(web({ internalTrafficPolicy: "Local" }));
    await client.discovery.v1.endpointslices("default").create(slice(["10.1.0.1"]));
    await advance(2_000);
    const text = metrics.text();
    expect(text).toMatch(/kubeproxy_sync_full_proxy_rules_duration_seconds_count\{ip_family="IPv4"\} 1/);
    expect(text).toMatch(/kubeproxy_sync_partial_proxy_rules_duration_seconds_count\{ip_family="IPv4"\} [12]\n/);
    expect(text).toMatch(
      /kubeproxy_sync_proxy_rules_no_local_endpoints_total\{traffic_policy="internal",ip_family="IPv4"\} 1|no_local_endpoints_total\{ip_family="IPv4",traffic_policy="internal"\} 1/,
    );
    expect(text).toMatch(/kubeproxy_sync_proxy_rules_service_changes_total [1-9]/);
  });
});
