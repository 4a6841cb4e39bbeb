import { backendKey, type ServiceFrontends } from "../frontends/frontend.js";
import type { ConntrackEntry } from "./conntrack-entry.js";

/**
 * Pure: the flows to one of these services that go to something else than an endpoint that serves (pkg/proxy/conntrack/cleanup.go,
 * `CleanStaleEntries`). A connection of TCP ends with its endpoint; a flow of UDP or SCTP would go on into nothing, because every
 * packet renews it. Traffic policies and readiness do not end flows, as they do not end connections; a service without any endpoint
 * that serves keeps them.
 *
 * Flows with the same ends are one entry: they are removed together.
 */
export function planCleanup(
  services: Iterable<ServiceFrontends>,
  entries: Iterable<ConntrackEntry>,
): readonly ConntrackEntry[] {
  const serving = new Map<string, ReadonlySet<string>>();
  for (const { ports } of services)
    for (const port of ports) {
      if (port.protocol === "tcp" || port.serving.size === 0) continue;
      for (const { address = "*", port: number } of port.frontends)
        serving.set(`${port.protocol} ${address} ${number}`, port.serving);
    }
  const stale = new Map<string, ConntrackEntry>();
  for (const entry of entries) {
    const { protocol, originalAddress, originalPort, replyAddress, replyPort } = entry;
    const backends =
      serving.get(`${protocol} ${originalAddress} ${originalPort}`) ?? serving.get(`${protocol} * ${originalPort}`);
    const reply = backendKey({ address: replyAddress, port: replyPort });
    if (backends === undefined || backends.has(reply)) continue;
    stale.set(`${protocol} ${originalAddress} ${originalPort} ${reply}`, entry);
  }
  return [...stale.values()];
}

/** Whether a change of this service may leave flows behind. */
export const hasFlows = (service: ServiceFrontends | undefined): boolean =>
  service?.ports.some(({ protocol }) => protocol !== "tcp") ?? false;
