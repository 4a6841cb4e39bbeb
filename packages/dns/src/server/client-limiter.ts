import type { Clock } from "@coxswain/runtime/clock";

export interface ClientLimiter {
  /** Whether a question of this client is answered; those over its limit are dropped, which costs the least. */
  allow(client: string): boolean;
}

/** More clients than this within a second share one limit, so that forged addresses fill no memory. */
const maxClients = 10_000;
const others = "";

/** At most `perSecond` questions of each client in each second of the clock; 0: no limit. A pod that floods the server is cut off by this. */
export function createClientLimiter(clock: Clock, perSecond: number): ClientLimiter {
  const counts = new Map<string, number>();
  let second = 0;
  return {
    allow(client) {
      if (perSecond === 0) return true;
      const now = Math.floor(clock.monotonic() / 1000);
      if (now !== second) {
        counts.clear();
        second = now;
      }
      const key = counts.has(client) || counts.size < maxClients ? client : others;
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      return count <= perSecond;
    },
  };
}
