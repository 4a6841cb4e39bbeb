import type { Clock } from "@coxswain/runtime/clock";
import { type NameServer, nameServerText } from "./name-server.js";

export interface ServerHealth {
  answered(server: NameServer): void;
  failed(server: NameServer): void;
  /** Servers that failed lately come last, in the given order otherwise. */
  healthyFirst(servers: readonly NameServer[]): readonly NameServer[];
}

/** A server that failed so often in a row is asked last for a while (CoreDNS: `max_fails 2`, checked every 0.5 s). */
const failuresAllowed = 2;
const downMs = 5000;

export function createServerHealth(clock: Clock): ServerHealth {
  const failures = new Map<string, { count: number; last: number }>();
  const isDown = (server: NameServer): boolean => {
    const record = failures.get(nameServerText(server));
    return record !== undefined && record.count >= failuresAllowed && clock.monotonic() < record.last + downMs;
  };
  return {
    answered: (server) => void failures.delete(nameServerText(server)),
    failed(server) {
      const count = (failures.get(nameServerText(server))?.count ?? 0) + 1;
      failures.set(nameServerText(server), { count, last: clock.monotonic() });
    },
    healthyFirst: (servers) =>
      servers.length <= 1 ? servers : [...servers.filter((one) => !isDown(one)), ...servers.filter(isDown)],
  };
}
