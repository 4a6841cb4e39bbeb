import { isInZone, splitLabels } from "@coxswain/wire/dns";
import type { NameServer } from "./name-server.js";

export interface ForwardOptions {
  /** For everything that no stub domain takes; none: such questions fail. */
  readonly servers: readonly NameServer[];
  /** Servers of their own for domains (in lower case) and all below them; the longest domain wins. */
  readonly stubDomains: ReadonlyMap<string, readonly NameServer[]>;
}

/** The servers for `name`, in lower case. */
export function serversFor(name: string, { servers, stubDomains }: ForwardOptions): readonly NameServer[] {
  let best: { labels: number; servers: readonly NameServer[] } = { labels: -1, servers };
  for (const [domain, own] of stubDomains) {
    const labels = splitLabels(domain).length;
    if (labels > best.labels && isInZone(name, domain)) best = { labels, servers: own };
  }
  return best.servers;
}
