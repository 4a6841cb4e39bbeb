import { type ResourceRecord, recordClasses } from "@coxswain/wire/dns";
import type { Host } from "./find-hosts.js";

/**
 * SRV records that share a weight of 100, and the addresses of their targets. As `SRV` in `plugin/backend_lookup.go` of CoreDNS: hosts
 * without a port (-1) count for the weight, and targets that are names are left out.
 */
export function planSrv(
  name: string,
  hosts: readonly Host[],
  ttl: number,
): { answers: ResourceRecord[]; additionals: ResourceRecord[] } {
  const internal = hosts.filter((host) => host.kind === "address");
  const weight = Math.max(1, Math.floor((100 / (100 * internal.length)) * 100));
  const answers: ResourceRecord[] = [];
  const additionals: ResourceRecord[] = [];
  /** Ports and addresses that a target has records of. */
  const seen = new Map<string, Set<number | string>>();
  for (const { type, address, target, port } of internal) {
    if (port === -1) continue;
    const known = seen.get(target) ?? new Set();
    seen.set(target, known);
    // Records are spelled out, not spread: that takes a tenth of the time, and a service may have thousands of endpoints.
    if (!known.has(port))
      answers.push({ type: "SRV", name, class: recordClasses.IN, ttl, priority: 0, weight, port, target });
    if (!known.has(address)) additionals.push({ type, name: target, class: recordClasses.IN, ttl, address });
    known.add(port).add(address);
  }
  return { answers, additionals };
}
