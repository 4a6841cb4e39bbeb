import type { Pod } from "@coxswain/api/core/v1";
import { afterEach, describe, expect, it } from "vitest";
import { openTestServer, type TestServer } from "../start/test-server.test.support.js";
import { startPolicies } from "./start-policies.js";

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const pod = (name: string, labels: Record<string, string>): Pod => ({
  metadata: { name, labels },
  spec: { nodeName: "here", containers: [{ name: "c", image: "i", ports: [{ name: "http", containerPort: 8080 }] }] },
});

async function open(): Promise<TestServer & { transactions: string[] }> {
  const server = await openTestServer();
  closing.push(() => server.stop());
  const transactions: string[] = [];
  const policies = startPolicies(server.runtime, {
    client: server.client,
    nodeName: "here",
    nft: { run: async (text) => void transactions.push(text), list: async () => undefined },
    minSyncPeriodMs: 1_000,
    syncPeriodMs: 30_000,
  });
  closing.push(() => policies.stop());
  await server.advance(2_000);
  await policies.ready;
  return { ...server, transactions };
}

describe("policies against an API server", () => {
  it("the table is written once everything is known, and then what changes", async () => {
    const { client, advance, transactions } = await open();
    expect(transactions).toHaveLength(1);
    expect(transactions[0]).toContain("delete table inet coxswain-policy");
    const pods = client.core.v1.pods("default");
    const running = async (name: string, ip: string): Promise<void> => {
      const made = await pods.get(name);
      await pods.updateStatus({ ...made, status: { phase: "Running", podIP: ip, podIPs: [{ ip }] } });
      await advance(2_000);
    };
    await pods.create(pod("web", { app: "web" }));
    await client.networking.v1.networkpolicies("default").create({
      metadata: { name: "p" },
      spec: { podSelector: { matchLabels: { app: "web" } }, ingress: [{ ports: [{ port: "http" }] }] },
    });
    await advance(2_000);
    await running("web", "10.0.1.2");
    expect(transactions.join("\n")).toMatch(
      /add rule inet coxswain-policy ingress-[0-9a-f]{16} tcp dport \{ 8080 \} return/,
    );
    expect(transactions.at(-1)).toMatch(
      /add element inet coxswain-policy ingress-4 \{ 10\.0\.1\.2 : jump ingress-[0-9a-f]{16} \}/,
    );
    const count = transactions.length;
    const made = await pods.get("web");
    await pods.update({ ...made, metadata: { ...made.metadata, annotations: { a: "b" } } });
    await advance(2_000);
    expect(transactions).toHaveLength(count);
    await client.networking.v1.networkpolicies("default").delete("p");
    await advance(3_000);
    expect(transactions.join("\n")).toContain("delete element inet coxswain-policy ingress-4 { 10.0.1.2 }");
    expect(transactions.at(-1)).toMatch(/^delete chain inet coxswain-policy ingress-/);
  });
});
