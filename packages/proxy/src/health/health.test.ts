import { get } from "node:http";
import { createVirtualClock } from "@coxswain/runtime/clock";
import { noMetrics } from "@coxswain/runtime/metrics";
import { afterEach, describe, expect, it } from "vitest";
import { createHealthPages } from "./health-pages.js";
import { ProxyHealth } from "./proxy-health.js";
import { ServiceHealthServers } from "./service-health-servers.js";

const node = (taint?: string) => ({
  metadata: { name: "here" },
  spec: taint === undefined ? {} : { taints: [{ key: taint, effect: "NoSchedule" as const }] },
});

// pkg/proxy/healthcheck/healthcheck_test.go, TestHealthzServer and TestLivezServer.
describe("the proxy's health", () => {
  function open() {
    const clock = createVirtualClock();
    const health = new ProxyHealth(clock, 60_000);
    health.begin("IPv4");
    health.begin("IPv6");
    health.node = node("other");
    const pages = createHealthPages(health, noMetrics);
    const status = (path: string): number | undefined => pages(path)?.status;
    return { clock, health, pages, all: () => [status("/healthz"), status("/livez"), status("/readyz")] };
  }

  it("is good from the start, but ready only with the first rules", () => {
    const { health, all } = open();
    expect(all()).toEqual([200, 200, 503]);
    health.updated("IPv4");
    expect(all()).toEqual([200, 200, 503]);
    health.updated("IPv6");
    expect(all()).toEqual([200, 200, 200]);
  });

  it("is bad when a change of one family waits for longer than the time-out", async () => {
    const { clock, health, all } = open();
    health.updated("IPv4");
    health.updated("IPv6");
    health.queued("IPv6");
    await clock.advance(59_000);
    health.queued("IPv6");
    expect(all()).toEqual([200, 200, 200]);
    await clock.advance(1_000);
    expect(all()).toEqual([503, 503, 503]);
    health.updated("IPv6");
    expect(all()).toEqual([200, 200, 200]);
  });

  it("a node that is to be deleted fails healthz and passes livez", () => {
    const { health, all } = open();
    health.updated("IPv4");
    health.updated("IPv6");
    health.node = node("ToBeDeletedByClusterAutoscaler");
    expect(all()).toEqual([503, 200, 200]);
    health.node = { metadata: { name: "here", deletionTimestamp: "2026-01-01T00:00:00Z" } };
    expect(all()).toEqual([503, 200, 200]);
    health.node = undefined;
    expect(all()).toEqual([503, 200, 200]);
  });

  it("has upstream's members in upstream's order", () => {
    const { health, pages } = open();
    health.updated("IPv4");
    const parsed = JSON.parse(pages("/healthz")?.body ?? "") as Record<string, unknown>;
    expect(Object.keys(parsed)).toEqual(["lastUpdated", "currentTime", "nodeEligible", "healthy", "status"]);
    expect(parsed["status"]).toMatchObject({ IPv4: { healthy: true }, IPv6: { healthy: true } });
    expect(Object.keys(JSON.parse(pages("/livez")?.body ?? "") as object)).not.toContain("nodeEligible");
    expect(pages("/else")).toBeUndefined();
  });
});

describe("health checks of services", () => {
  let servers: ServiceHealthServers | undefined;
  afterEach(() => servers?.stop());
  const fetch = (port: number): Promise<{ status?: number | undefined; weight: unknown; body: string }> =>
    new Promise((resolve, reject) => {
      get({ host: "127.0.0.1", port, agent: false }, (response) => {
        let body = "";
        response.on("data", (chunk) => (body += chunk));
        response.on("end", () =>
          resolve({ status: response.statusCode, weight: response.headers["x-load-balancing-endpoint-weight"], body }),
        );
      }).on("error", reject);
    });

  it("of both families share a port", async () => {
    const failed: string[] = [];
    const open = (host: string): ServiceHealthServers =>
      new ServiceHealthServers({
        hosts: [host],
        isProxyHealthy: () => true,
        onFailed: (_service, _port, error) => void failed.push(String(error)),
      });
    const [four, six] = [open("0.0.0.0"), open("::")];
    await four.put("ns/svc", { port: 31_978, localEndpoints: 1 });
    await six.put("ns/svc", { port: 31_978, localEndpoints: 1 });
    await Promise.all([four.stop(), six.stop()]);
    expect(failed.filter((error) => error.includes("EADDRINUSE"))).toEqual([]);
  });

  it("answer with the number of endpoints here, in upstream's form", async () => {
    const failed: string[] = [];
    let isProxyHealthy = true;
    servers = new ServiceHealthServers({
      hosts: ["127.0.0.1"],
      isProxyHealthy: () => isProxyHealthy,
      onFailed: (service, port) => void failed.push(`${service} ${port}`),
    });
    const port = 31_977;
    await servers.put("ns/svc", { port, localEndpoints: 2 });
    expect(await fetch(port)).toEqual({
      status: 200,
      weight: "2",
      body: '{\n\t"service": {\n\t\t"namespace": "ns",\n\t\t"name": "svc"\n\t},\n\t"localEndpoints": 2,\n\t"serviceProxyHealthy": true\n}',
    });
    isProxyHealthy = false;
    expect((await fetch(port)).status).toBe(503);
    isProxyHealthy = true;
    await servers.put("ns/svc", { port, localEndpoints: 0 });
    expect(await fetch(port)).toMatchObject({ status: 503, weight: "0" });
    await servers.put("ns/other", { port, localEndpoints: 1 });
    expect(failed).toEqual(["ns/other 31977"]);
    await servers.put("ns/svc", undefined);
    await expect(fetch(port)).rejects.toThrow("ECONNREFUSED");
  });
});
