import { recordClasses, type ResourceRecord } from "@coxswain/wire/dns";
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
  const seen = new Set<string>();
  const isNew = (key: string): boolean => !seen.has(key) && seen.add(key) === seen;
  const head = { class: recordClasses.IN, ttl };
  const answers: ResourceRecord[] = [];
  const additionals: ResourceRecord[] = [];
  for (const { type, address, target, port } of internal) {
    if (port === -1) continue;
    if (isNew(`${target} ${port}`)) answers.push({ ...head, type: "SRV", name, priority: 0, weight, port, target });
    if (isNew(`${target} ${address}`)) additionals.push({ ...head, type, name: target, address });
  }
  return { answers, additionals };
}
