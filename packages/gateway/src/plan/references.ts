import { createPrivateKey, X509Certificate } from "node:crypto";
import type { ServerCertificate } from "../engine/backend.js";
import type { ObjectReference } from "../objects/gateway-objects.js";
import { isGranted } from "./reference-grants.js";
import type { World } from "./world.js";

/** Why something cannot be used: a reason of a condition, and a sentence. */
export interface Problem {
  readonly reason: string;
  readonly message: string;
}

/** Who refers: its kind and namespace. */
export interface Referrer {
  readonly kind: string;
  readonly namespace: string;
}

export const isProblem = (found: object): found is Problem => "reason" in found && "message" in found;

/** The certificate of a Secret that is referred to. `invalid`: the reason of one that cannot be used. */
export function readCertificate(
  from: Referrer,
  { group = "", kind = "Secret", namespace = from.namespace, name }: ObjectReference,
  { world, invalid }: { readonly world: World; readonly invalid: string },
): ServerCertificate | Problem {
  if (group !== "" || kind !== "Secret")
    return { reason: invalid, message: `certificates of kind ${kind} are not supported` };
  const to = { group, kind, namespace, name };
  if (!isGranted(world.grants, { from, to })) return notGranted(from, to);
  return (
    certificateIn(world, namespace, name) ?? {
      reason: invalid,
      message: `Secret ${namespace}/${name} has no certificate with its key`,
    }
  );
}

export const notGranted = (from: Referrer, to: Required<ObjectReference>): Problem => ({
  reason: "RefNotPermitted",
  message: `no ReferenceGrant in namespace ${to.namespace} lets objects of kind ${from.kind} in ${from.namespace} refer to ${to.kind} ${to.name}`,
});

/** The certificate of a Secret of type kubernetes.io/tls; undefined: there is none that can be used. */
export function certificateIn(world: World, namespace: string, name: string): ServerCertificate | undefined {
  const data = world.secret(namespace, name)?.data as { readonly [member: string]: string } | undefined;
  const text = (member: string): string => Buffer.from(data?.[member] ?? "", "base64").toString("latin1");
  return checked(text("tls.crt"), text("tls.key"));
}

/** Checking a key costs a fraction of a millisecond, and a plan asks for the same ones again and again. */
const known = new Map<string, ServerCertificate | undefined>();
const maxKnown = 1000;

function checked(certificate: string, key: string): ServerCertificate | undefined {
  const content = `${certificate}\n${key}`;
  if (known.has(content)) return known.get(content);
  if (known.size >= maxKnown) known.clear();
  const found = isPair(certificate, key) ? { certificate, key } : undefined;
  known.set(content, found);
  return found;
}

function isPair(certificate: string, key: string): boolean {
  try {
    return new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key));
  } catch {
    return false; // not PEM, or of another kind: the condition names the Secret
  }
}

/** Certificates of authorities by reference. */
export interface ReadAuthorities {
  /** PEM of those that were found; empty: none. */
  readonly pem: string;
  /** Of the first that was not. */
  readonly problem: Problem | undefined;
}

/** `ca.crt` of ConfigMaps (the specification's core support) and of Secrets of type kubernetes.io/tls. */
export function readAuthorities(
  from: Referrer,
  references: readonly ObjectReference[],
  { world, invalid, invalidKind }: { readonly world: World; readonly invalid: string; readonly invalidKind: string },
): ReadAuthorities {
  const found: string[] = [];
  let problem: Problem | undefined;
  for (const { group = "", kind = "ConfigMap", namespace = from.namespace, name } of references) {
    const to = { group, kind, namespace, name };
    const read =
      group !== "" || (kind !== "ConfigMap" && kind !== "Secret")
        ? { reason: invalidKind, message: `authorities in objects of kind ${kind} are not supported` }
        : isGranted(world.grants, { from, to })
          ? authorityIn(to, world, invalid)
          : notGranted(from, to);
    if (typeof read === "string") found.push(read);
    else problem ??= read;
  }
  return { pem: found.join("\n"), problem };
}

function authorityIn(
  { kind, namespace, name }: Required<ObjectReference>,
  world: World,
  invalid: string,
): string | Problem {
  const data = kind === "ConfigMap" ? world.configMap(namespace, name)?.data : world.secret(namespace, name)?.data;
  const content = (data as { readonly [member: string]: string } | undefined)?.["ca.crt"] ?? "";
  const pem = kind === "ConfigMap" ? content : Buffer.from(content, "base64").toString("latin1");
  return hasCertificate(pem)
    ? pem
    : { reason: invalid, message: `${kind} ${namespace}/${name} has no certificate as ca.crt` };
}

function hasCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0;
  } catch {
    return false; // not PEM
  }
}
