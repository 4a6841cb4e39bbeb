import type { Clock } from "@coxswain/apimachinery/clock";
import type { Logger } from "@coxswain/component/log";
import type { Authenticator } from "../authentication/authenticator.js";
import type { Authorizer } from "../authorization/attributes.js";
import { authenticate } from "./authenticate.js";
import { authorize } from "./authorize.js";
import { catchUnhandled } from "./catch-unhandled.js";
import type { Filter } from "./filter.js";
import { impersonate } from "./impersonate.js";
import { limitTime } from "./limit-time.js";

export interface FilterDeps {
  readonly log: Logger;
  /** Deadlines are promises to a client at the other end of a wire: real time. */
  readonly ioClock: Clock;
  readonly requestTimeoutMs: number;
  /** In this order; the first that knows the caller decides. */
  readonly authenticators: readonly Authenticator[];
  readonly authorizer: Authorizer;
  readonly gates: { enabled(gate: string): boolean };
}

/** A request meets these from top to bottom. Authorization is last: it needs all that came before. */
export const defaultFilters = (deps: FilterDeps): Filter[] => [
  catchUnhandled(deps.log),
  limitTime(deps.ioClock, deps.requestTimeoutMs),
  authenticate(deps.authenticators),
  impersonate(deps.authorizer, { constrained: deps.gates.enabled("ConstrainedImpersonation") }),
  authorize(deps.authorizer, { streamsNeedCreate: deps.gates.enabled("AuthorizePodWebsocketUpgradeCreatePermission") }),
];
