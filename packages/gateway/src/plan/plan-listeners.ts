import { createPrivateKey, X509Certificate } from "node:crypto";
import type { ServerCertificate } from "../engine/backend.js";
import {
  type Gateway,
  gatewayGroup,
  type Listener,
  type ObjectReference,
  type RouteKind,
} from "../objects/gateway-objects.js";
import { fails, holds, type PlannedCondition } from "./conditions.js";
import { isGranted } from "./reference-grants.js";
import type { World } from "./world.js";

/** A listener of a Gateway with what was found about it, before routes are attached. */
export interface CheckedListener {
  readonly listener: Listener;
  readonly supportedKinds: readonly RouteKind[];
  /** Accepted, Conflicted and ResolvedRefs. */
  readonly conditions: readonly PlannedCondition[];
  readonly isAccepted: boolean;
  /** Its requests are served. */
  readonly isValid: boolean;
  readonly certificates: readonly ServerCertificate[];
}

const routeKinds: readonly RouteKind[] = [{ group: gatewayGroup, kind: "HTTPRoute" }];
const protocols = new Set(["HTTP", "HTTPS"]);

/** Pure: which listeners of a Gateway can be served (Listener in apis/v1/gateway_types.go). */
export function checkListeners(gateway: Gateway, world: World): CheckedListener[] {
  const { listeners } = gateway.spec;
  return listeners.map((listener) => {
    const conflict = conflictOf(listener, listeners);
    const isSupported = protocols.has(listener.protocol) && listener.tls?.mode !== "Passthrough";
    const accepted = conflict
      ? fails("Accepted", conflict.reason, conflict.message)
      : isSupported
        ? holds("Accepted")
        : fails(
            "Accepted",
            "UnsupportedProtocol",
            `listeners of protocol ${describeProtocol(listener)} are not supported`,
          );
    const kinds = supportedKindsOf(listener);
    const certificates = listener.protocol === "HTTPS" ? readCertificates(gateway, listener, world) : { found: [] };
    const problem = kinds.problem ?? certificates.problem;
    const resolved = problem ? fails("ResolvedRefs", problem.reason, problem.message) : holds("ResolvedRefs");
    const conflicted: PlannedCondition = conflict
      ? { type: "Conflicted", status: "True", ...conflict }
      : fails("Conflicted", "NoConflicts", "");
    const isAccepted = accepted.status === "True";
    return {
      listener,
      supportedKinds: isSupported ? kinds.supported : [],
      conditions: [accepted, conflicted, resolved],
      isAccepted,
      isValid: isAccepted && certificates.problem === undefined && kinds.supported.length > 0,
      certificates: certificates.found,
    };
  });
}

interface Problem {
  readonly reason: string;
  readonly message: string;
}

const describeProtocol = ({ protocol, tls }: Listener): string =>
  tls?.mode === "Passthrough" ? `${protocol} with passthrough` : protocol;

/** Listeners of one port have one protocol and different hostnames. */
function conflictOf(listener: Listener, all: readonly Listener[]): Problem | undefined {
  const rivals = all.filter((other) => other !== listener && other.port === listener.port);
  const otherProtocol = rivals.find(({ protocol }) => protocol !== listener.protocol);
  if (otherProtocol)
    return {
      reason: "ProtocolConflict",
      message: `listener ${otherProtocol.name} has protocol ${otherProtocol.protocol} on port ${listener.port}`,
    };
  const sameHost = rivals.find(({ hostname = "" }) => hostname === (listener.hostname ?? ""));
  return (
    sameHost && {
      reason: "HostnameConflict",
      message: `listener ${sameHost.name} is for the same hosts on port ${listener.port}`,
    }
  );
}

function supportedKindsOf({ allowedRoutes }: Listener): { supported: readonly RouteKind[]; problem?: Problem } {
  const wanted = allowedRoutes?.kinds ?? [];
  if (wanted.length === 0) return { supported: routeKinds };
  const isKnown = ({ group = gatewayGroup, kind }: RouteKind): boolean =>
    routeKinds.some((one) => one.group === group && one.kind === kind);
  const unknown = wanted.find((kind) => !isKnown(kind));
  return {
    supported: routeKinds.filter(({ kind }) => wanted.some((one) => isKnown(one) && one.kind === kind)),
    ...(unknown && {
      problem: {
        reason: "InvalidRouteKinds",
        message: `routes of kind ${unknown.kind} are not supported by this listener`,
      },
    }),
  };
}

function readCertificates(
  gateway: Gateway,
  { tls }: Listener,
  world: World,
): { found: readonly ServerCertificate[]; problem?: Problem } {
  const references = tls?.certificateRefs ?? [];
  const found: ServerCertificate[] = [];
  for (const reference of references) {
    const read = readCertificate(gateway.metadata.namespace ?? "", reference, world);
    if ("reason" in read) return { found: [], problem: read };
    found.push(read);
  }
  if (found.length > 0) return { found };
  return { found, problem: { reason: "InvalidCertificateRef", message: "a listener for HTTPS needs a certificate" } };
}

function readCertificate(
  gatewayNamespace: string,
  { group = "", kind = "Secret", namespace = gatewayNamespace, name }: ObjectReference,
  world: World,
): ServerCertificate | Problem {
  const invalid = (message: string): Problem => ({ reason: "InvalidCertificateRef", message });
  if (group !== "" || kind !== "Secret") return invalid(`certificates of kind ${kind} are not supported`);
  const reference = { from: { kind: "Gateway", namespace: gatewayNamespace }, to: { group, kind, namespace, name } };
  if (!isGranted(world.grants, reference))
    return {
      reason: "RefNotPermitted",
      message: `no ReferenceGrant in namespace ${namespace} lets Gateways of ${gatewayNamespace} refer to Secret ${name}`,
    };
  return (
    certificateIn(world, namespace, name) ?? invalid(`Secret ${namespace}/${name} has no certificate with its key`)
  );
}

/** The certificate of a Secret of type kubernetes.io/tls; undefined: there is none that can be used. */
export function certificateIn(world: World, namespace: string, name: string): ServerCertificate | undefined {
  const data = world.secret(namespace, name)?.data as { readonly [member: string]: string } | undefined;
  const text = (member: string): string => Buffer.from(data?.[member] ?? "", "base64").toString("latin1");
  const [certificate, key] = [text("tls.crt"), text("tls.key")];
  try {
    return new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key)) ? { certificate, key } : undefined;
  } catch {
    return undefined; // not PEM, or of another kind: the condition names the Secret
  }
}
