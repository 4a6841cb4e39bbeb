import type { ServerCertificate } from "../engine/backend.js";
import type { RoutedRule } from "../engine/routed-rule.js";
import type { RouteEntry } from "../routing/route-table.js";

/** A listener whose requests are served: of a Gateway, or the one of all Ingresses. */
export interface PlannedListener {
  /** `gateway namespace/name`, or `ingress`: those of one owner share an address. */
  readonly owner: string;
  readonly name: string;
  readonly port: number;
  readonly protocol: "HTTP" | "HTTPS";
  /** Hosts that the listener is for; empty: any. */
  readonly hostname: string;
  /** Of HTTPS; by the names in them a client's SNI chooses, else the first. */
  readonly certificates: readonly ServerCertificate[];
  readonly entries: readonly RouteEntry<RoutedRule>[];
}
