import type { Runtime } from "@coxswain/runtime";
import type { AuditDeps } from "../audit/audit-deps.js";
import type { Authentication } from "../authentication/create-authentication.js";
import type { Authorizer } from "../authorization/attributes.js";
import type { Filter } from "../request/filter.js";
import type { RequestContext } from "../request/request-context.js";
import type { AccessMetrics } from "./access-metrics.js";
import { attemptedMethods } from "./attempted-methods.js";
import { audit, auditRefusals, stampArrival, timeWrites } from "./audit.js";
import { authenticate } from "./authenticate.js";
import { authorize } from "./authorize.js";
import { catchUnhandled } from "./catch-unhandled.js";
import { allowCrossOrigins } from "./cors.js";
import { closeByGoaway } from "./goaway.js";
import { impersonate } from "./impersonate.js";
import type { ImpersonationMetrics } from "./impersonation-metrics.js";
import { type InFlightLimits, limitInFlight } from "./limit-in-flight.js";
import { limitTime } from "./limit-time.js";
import { priorityAndFairness } from "./priority-and-fairness.js";
import { refuseAtShutdown } from "./refuse-at-shutdown.js";
import type { FairnessLimits } from "./request-seats.js";
import { strictTransport } from "./strict-transport.js";

export interface FilterDeps {
  /** Deadlines live by its `clock`. */
  readonly runtime: Runtime;
  readonly requestTimeoutMs: number;
  /** The server is about to end: new requests are sent elsewhere. */
  isRefusing(): boolean;
  /** Called when a request was given up because its time was over. */
  onExpired(context: RequestContext): void;
  /** For the Strict-Transport-Security header; none: no such header. */
  readonly strictTransportDirectives: readonly string[];
  /** Regular expressions; none: browsers let no other site's scripts read our answers. */
  readonly allowedOrigins: readonly string[];
  /** How likely a request over HTTP/2 is to be the last on its connection. */
  readonly goawayChance: number;
  readonly inFlight: InFlightLimits;
  /** Instead of limits for all: seats by priority, and fair shares of them. Undefined: it is off. */
  readonly fairness: FairnessLimits | undefined;
  /** The same filter between others that measure how long it takes to let a request pass or to refuse it. */
  timed(name: string, filter: Filter): readonly Filter[];
  readonly access: AccessMetrics;
  readonly impersonation: ImpersonationMetrics;
  /** Undefined: nothing is recorded, and these filters are not there. */
  readonly audit: AuditDeps | undefined;
  /** Whether it is known where the time of writes and lists goes, also without an audit log. */
  readonly timesWrites: boolean;
  readonly authentication: Authentication;
  readonly authorizer: Authorizer;
  readonly gates: { enabled(gate: string): boolean };
}

/**
 * A request meets these from top to bottom, in upstream's order. Authorization is last: it needs all that came before.
 * What upstream has beside them is elsewhere (request info and audit id: `openContext`; no caching and warnings: `respond`; the log
 * of requests, latencies and who waits for whom at the end: `createRequestServer`) or missing (tracing).
 */
export const defaultFilters = (deps: FilterDeps): Filter[] => [
  catchUnhandled(deps.runtime.log),
  ...(deps.audit ? [stampArrival(deps.audit.now)] : deps.timesWrites ? [timeWrites] : []),
  refuseAtShutdown(() => deps.isRefusing()),
  strictTransport(deps.strictTransportDirectives),
  closeByGoaway(deps.goawayChance, deps.runtime.random),
  auditRefusals(
    limitTime({
      clock: deps.runtime.clock,
      timeoutMs: deps.requestTimeoutMs,
      onExpired: (context) => deps.onExpired(context),
    }),
    deps.audit,
  ),
  allowCrossOrigins(deps.allowedOrigins),
  ...deps.timed(
    "authentication",
    auditRefusals(
      authenticate(deps.authentication, {
        closesAnonymous: deps.gates.enabled("UnauthenticatedHTTP2DOSMitigation"),
        metrics: deps.access,
      }),
      deps.audit,
      attemptedMethods,
    ),
  ),
  ...(deps.audit ? deps.timed("audit", audit(deps.audit)) : []),
  ...deps.timed(
    deps.gates.enabled("ConstrainedImpersonation") ? "constrainedimpersonation" : "impersonation",
    impersonate(deps.authorizer, {
      constrained: deps.gates.enabled("ConstrainedImpersonation"),
      metrics: deps.impersonation,
    }),
  ),
  ...(deps.fairness
    ? deps.timed("priorityandfairness", priorityAndFairness(deps.fairness))
    : [limitInFlight(deps.inFlight)]),
  ...deps.timed(
    "authorization",
    authorize(deps.authorizer, {
      streamsNeedCreate: deps.gates.enabled("AuthorizePodWebsocketUpgradeCreatePermission"),
      metrics: deps.access,
    }),
  ),
];
