import type { Listener } from "../objects/gateway-objects.js";
import type { Problem } from "./references.js";

/**
 * Pure: listeners of one Gateway that are not distinct, with why (Listener in apis/v1/gateway_types.go). Of the Gateway's own ones none
 * wins; one of a ListenerSet gives way to all before it: the Gateway's, then those of older sets.
 */
export function findConflicts(
  own: readonly Listener[],
  ofSets: readonly (readonly Listener[])[],
): ReadonlyMap<Listener, Problem> {
  const conflicts = new Map<Listener, Problem>();
  for (const listener of own) {
    const rivals = own.filter((other) => other !== listener);
    const problem = firstConflict(listener, rivals);
    if (problem) conflicts.set(listener, problem);
  }
  const accepted = own.filter((listener) => !conflicts.has(listener));
  for (const listener of ofSets.flat()) {
    const problem = firstConflict(listener, accepted);
    if (problem) conflicts.set(listener, problem);
    else accepted.push(listener);
  }
  return conflicts;
}

/** A protocol that differs counts more than a host that is the same. */
function firstConflict(listener: Listener, rivals: readonly Listener[]): Problem | undefined {
  const found = rivals.map((rival) => conflictOf(listener, rival)).filter((problem) => problem !== undefined);
  return found.find(({ reason }) => reason === "ProtocolConflict") ?? found[0];
}

function conflictOf(listener: Listener, other: Listener): Problem | undefined {
  if (listener.port !== other.port || isDatagrams(listener) !== isDatagrams(other)) return undefined;
  if (familyOf(listener) !== familyOf(other))
    return {
      reason: "ProtocolConflict",
      message: `listener ${other.name} has protocol ${other.protocol} on port ${listener.port}`,
    };
  if (!hasHosts(listener))
    return { reason: "ProtocolConflict", message: `listener ${other.name} has port ${listener.port}, too` };
  if ((listener.hostname ?? "") !== (other.hostname ?? "")) return undefined;
  return {
    reason: "HostnameConflict",
    message: `listener ${other.name} is for the same hosts on port ${listener.port}`,
  };
}

const isDatagrams = ({ protocol }: Listener): boolean => protocol === "UDP";
const hasHosts = ({ protocol }: Listener): boolean => protocol !== "UDP" && protocol !== "TCP";
/** HTTPS and TLS share ports: the server name chooses between them. */
const familyOf = ({ protocol }: Listener): string => (protocol === "HTTPS" ? "TLS" : protocol);
