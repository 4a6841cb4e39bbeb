import type { Counter, Metrics } from "@coxswain/runtime/metrics";
import type { ProxyHealth } from "./proxy-health.js";

export interface HealthPage {
  readonly status: 200 | 503;
  readonly body: string;
}

/**
 * The pages of port 10256. `/healthz` is for load balancers: a node that is about to be deleted fails it. `/livez` is for a
 * supervisor that restarts the proxy: such a node passes. `/readyz` also waits for the first rules; kube-proxy does not have it.
 */
export function createHealthPages(health: ProxyHealth, metrics: Metrics): (path: string) => HealthPage | undefined {
  const counter = (page: string): Counter =>
    metrics.counter({
      name: `kubeproxy_proxy_${page}_total`,
      help: `Cumulative proxy ${page} HTTP status`,
      labels: ["code"],
      stability: "ALPHA",
    });
  const [healthz, livez] = [counter("healthz"), counter("livez")];
  const page = (isOk: boolean, body: string): HealthPage => ({ status: isOk ? 200 : 503, body });
  return (path) => {
    if (path === "/healthz") {
      const { isEligible } = health;
      const isOk = health.isHealthy && isEligible;
      healthz.of(isOk ? "200" : "503").add(1);
      return page(isOk, health.report(isOk, { nodeEligible: isEligible }));
    }
    if (path === "/livez") {
      const isOk = health.isHealthy;
      livez.of(isOk ? "200" : "503").add(1);
      return page(isOk, health.report(isOk));
    }
    if (path === "/readyz") {
      const isOk = health.isHealthy && health.isWritten;
      return page(isOk, health.report(isOk));
    }
    return undefined;
  };
}
