import type { ServerCertificate } from "../engine/backend.js";
import type { ClientValidation } from "../engine/engine.js";
import { type Gateway, gatewayGroup, type Listener, type RouteKind } from "../objects/gateway-objects.js";
import { fails, holds, type PlannedCondition } from "./conditions.js";
import { planFrontend } from "./frontend-validation.js";
import { localCertificateFor } from "./local-certificates.js";
import { isProblem, type Problem, type Referrer, readCertificate } from "./references.js";
import type { World } from "./world.js";

/** A listener of a Gateway or of a ListenerSet with what was found about it, before routes are attached. */
export interface CheckedListener {
  readonly listener: Listener;
  readonly supportedKinds: readonly RouteKind[];
  /** Accepted, Conflicted and ResolvedRefs. */
  readonly conditions: readonly PlannedCondition[];
  /** Why it conflicts with others. */
  readonly conflict: Problem | undefined;
  readonly isAccepted: boolean;
  /** Its requests are served. */
  readonly isValid: boolean;
  readonly certificates: readonly ServerCertificate[];
  readonly clientValidation: ClientValidation | undefined;
}

export interface ListenerFacts {
  readonly gateway: Gateway;
  /** Who owns the listener: certificates are of its namespace, or granted to its kind. */
  readonly owner: Referrer;
  readonly conflicts: ReadonlyMap<Listener, Problem>;
  readonly world: World;
}

/** Pure: whether a listener can be served (Listener in apis/v1/gateway_types.go). */
export function checkListener(listener: Listener, facts: ListenerFacts): CheckedListener {
  const conflict = facts.conflicts.get(listener);
  const kinds = supportedKindsOf(listener);
  const certificates = isTerminating(listener) ? readCertificates(listener, facts) : { found: [], problem: undefined };
  const frontend = isTerminating(listener) ? planFrontend(listener.port, facts) : undefined;
  const unusable = unusableListener(listener) ?? frontend?.unusable;
  const accepted = conflict ?? unusable;
  const unresolved = kinds.problem ?? certificates.problem ?? frontend?.problem;
  return {
    listener,
    supportedKinds: kinds.supported,
    conditions: [
      accepted ? fails("Accepted", accepted.reason, accepted.message) : holds("Accepted"),
      conflict ? { type: "Conflicted", status: "True", ...conflict } : fails("Conflicted", "NoConflicts", ""),
      unresolved ? fails("ResolvedRefs", unresolved.reason, unresolved.message) : holds("ResolvedRefs"),
    ],
    conflict,
    isAccepted: accepted === undefined,
    isValid: accepted === undefined && certificates.problem === undefined && kinds.supported.length > 0,
    certificates: certificates.found,
    clientValidation: frontend?.validation,
  };
}

/** Kinds of routes by protocol. */
const kindsOfProtocol: Readonly<Record<string, readonly string[]>> = {
  HTTP: ["HTTPRoute", "GRPCRoute"],
  HTTPS: ["HTTPRoute", "GRPCRoute"],
  TLS: ["TLSRoute"],
  TCP: ["TCPRoute"],
  UDP: ["UDPRoute"],
};

const isTerminating = ({ protocol, tls }: Listener): boolean =>
  protocol === "HTTPS" || (protocol === "TLS" && tls?.mode !== "Passthrough");

function unusableListener({ protocol }: Listener): Problem | undefined {
  if (Object.hasOwn(kindsOfProtocol, protocol)) return undefined;
  return { reason: "UnsupportedProtocol", message: `listeners of protocol ${protocol} are not supported` };
}

function supportedKindsOf({ protocol, allowedRoutes }: Listener): {
  supported: readonly RouteKind[];
  problem?: Problem;
} {
  const kinds = Object.hasOwn(kindsOfProtocol, protocol) ? (kindsOfProtocol[protocol] ?? []) : [];
  const all = kinds.map((kind) => ({ group: gatewayGroup, kind }));
  const wanted = allowedRoutes?.kinds ?? [];
  if (wanted.length === 0) return { supported: all };
  const isKnown = ({ group = gatewayGroup, kind }: RouteKind): boolean =>
    group === gatewayGroup && kinds.includes(kind);
  const unknown = wanted.find((kind) => !isKnown(kind));
  return {
    supported: all.filter(({ kind }) => wanted.some((one) => isKnown(one) && one.kind === kind)),
    ...(unknown && {
      problem: {
        reason: "InvalidRouteKinds",
        message: `routes of kind ${unknown.kind} are not supported by this listener`,
      },
    }),
  };
}

function readCertificates(
  listener: Listener,
  { owner, world }: ListenerFacts,
): { found: readonly ServerCertificate[]; problem: Problem | undefined } {
  const { protocol, tls } = listener;
  const found: ServerCertificate[] = [];
  for (const reference of tls?.certificateRefs ?? []) {
    const read = readCertificate(owner, reference, { world, invalid: "InvalidCertificateRef" });
    if (isProblem(read)) return { found: [], problem: read };
    found.push(read);
  }
  const local = localCertificateFor(listener, world);
  if (local) found.push(local);
  const none = { reason: "InvalidCertificateRef", message: `a listener for ${protocol} needs a certificate` };
  return { found, problem: found.length > 0 ? undefined : none };
}
