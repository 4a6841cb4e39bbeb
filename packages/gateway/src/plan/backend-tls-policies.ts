import type { BackendTls } from "../engine/backend.js";
import type { BackendTlsPolicy } from "../objects/gateway-objects.js";
import { fails, holds, type PlannedCondition } from "./conditions.js";
import { readAuthorities } from "./references.js";
import { byAge, type World } from "./world.js";

/** TLS to a backend, or why it cannot be set up: then nothing is sent. */
export type BackendPolicy =
  | { readonly kind: "tls"; readonly tls: Omit<BackendTls, "clientCertificate"> }
  | { readonly kind: "unusable"; readonly message: string };

export interface PlannedPolicy {
  readonly policy: BackendTlsPolicy;
  /** `namespace/name` of the Services that it is about. */
  readonly services: readonly string[];
  readonly conditions: readonly PlannedCondition[];
}

export interface PolicyIndex {
  readonly planned: readonly PlannedPolicy[];
  /** Of a port of a Service; one that names the port counts before one that names none. */
  find(service: string, portName: string): BackendPolicy | undefined;
}

/** Pure: which policy is about which port. Of two about the same one the older counts (GEP-713). */
export function planPolicies(world: World): PolicyIndex {
  const byTarget = new Map<string, BackendPolicy>();
  const planned = world.backendTlsPolicies.toSorted(byAge).map((policy): PlannedPolicy => {
    const { found, conditions } = planPolicy(policy, world);
    const targets = policy.spec.targetRefs
      .filter(({ group, kind }) => group === "" && kind === "Service")
      .map(({ name, sectionName = "" }) => ({ service: `${policy.metadata.namespace}/${name}`, sectionName }));
    const free = targets.filter((target) => !byTarget.has(keyOf(target)));
    for (const target of free) byTarget.set(keyOf(target), found);
    const conflicted = fails("Accepted", "Conflicted", "an older BackendTLSPolicy is about the same port");
    return {
      policy,
      services: targets.map(({ service }) => service),
      conditions:
        free.length === 0 && targets.length > 0
          ? [conflicted, ...conditions.filter(({ type }) => type !== "Accepted")]
          : conditions,
    };
  });
  return {
    planned,
    find: (service, portName) =>
      (portName === "" ? undefined : byTarget.get(keyOf({ service, sectionName: portName }))) ??
      byTarget.get(keyOf({ service, sectionName: "" })),
  };
}

const keyOf = ({ service, sectionName }: { service: string; sectionName: string }): string =>
  `${service} ${sectionName}`;

function planPolicy(
  { metadata, spec: { validation } }: BackendTlsPolicy,
  world: World,
): { found: BackendPolicy; conditions: PlannedCondition[] } {
  const { caCertificateRefs = [], wellKnownCACertificates, hostname, subjectAltNames = [] } = validation;
  const from = { kind: "BackendTLSPolicy", namespace: metadata.namespace ?? "" };
  const { pem, problem } = readAuthorities(from, caCertificateRefs, {
    world,
    invalid: "InvalidCACertificateRef",
    invalidKind: "InvalidKind",
  });
  const resolved = problem ? fails("ResolvedRefs", problem.reason, problem.message) : holds("ResolvedRefs");
  const isSystem = wellKnownCACertificates === "System";
  if (pem === "" && !isSystem) {
    const message = problem?.message ?? "no authority is named";
    return {
      found: { kind: "unusable", message },
      conditions: [fails("Accepted", "NoValidCACertificate", message), resolved],
    };
  }
  const tls: Omit<BackendTls, "clientCertificate"> = {
    hostname,
    authorities: isSystem ? { kind: "system" } : { kind: "bundle", pem },
    alternativeNames: subjectAltNames.map((one) =>
      one.type === "URI" ? { kind: "uri", uri: one.uri ?? "" } : { kind: "hostname", hostname: one.hostname ?? "" },
    ),
  };
  return { found: { kind: "tls", tls }, conditions: [holds("Accepted"), resolved] };
}
