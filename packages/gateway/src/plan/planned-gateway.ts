import type { ParentReference, RouteKind } from "../objects/gateway-objects.js";
import type { PlannedCondition } from "./conditions.js";
import type { PlannedListener } from "./planned-listener.js";
import type { Problem } from "./references.js";

export interface PlannedGatewayListener {
  readonly name: string;
  readonly supportedKinds: readonly RouteKind[];
  readonly attachedRoutes: number;
  readonly conditions: readonly PlannedCondition[];
  readonly conflict: Problem | undefined;
  readonly isAccepted: boolean;
  /** Undefined: it is not served. */
  readonly served: PlannedListener | undefined;
}

/** What a route's status contains about one of its parents. */
export interface PlannedParent {
  readonly parentRef: ParentReference;
  readonly conditions: readonly PlannedCondition[];
}
