import type { ServerCertificate, WeightedBackend } from "../engine/backend.js";
import type { ClientValidation, ServerNameRoute } from "../engine/engine.js";
import type { RoutedRule } from "../engine/routed-rule.js";
import type { RouteEntry } from "../routing/route-table.js";

/** A listener that is served: of a Gateway or one of its ListenerSets, or the one of all Ingresses. */
export interface PlannedListener {
  /** `gateway namespace/name`, or `ingress`: those of one owner share addresses. */
  readonly owner: string;
  /** Unique in its owner. */
  readonly name: string;
  readonly port: number;
  /** Hosts that the listener is for; empty: any. */
  readonly hostname: string;
  readonly service: ListenerService;
}

export type ListenerService = HttpService | HttpsService | TerminateService | PassthroughService | StreamService;

export interface HttpService {
  readonly kind: "http";
  readonly entries: readonly RouteEntry<RoutedRule>[];
}

interface Terminating {
  /** By the names in them a client's SNI chooses, else the first. */
  readonly certificates: readonly ServerCertificate[];
  readonly clientValidation: ClientValidation | undefined;
}

export interface HttpsService extends Terminating {
  readonly kind: "https";
  readonly entries: readonly RouteEntry<RoutedRule>[];
}

export interface TerminateService extends Terminating {
  readonly kind: "terminate";
  readonly routes: readonly ServerNameRoute[];
}

export interface PassthroughService {
  readonly kind: "passthrough";
  readonly routes: readonly ServerNameRoute[];
}

export interface StreamService {
  readonly kind: "tcp" | "udp";
  readonly backends: readonly WeightedBackend[];
  readonly route: string;
}
