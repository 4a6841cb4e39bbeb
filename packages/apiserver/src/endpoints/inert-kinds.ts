import type { AnyKind } from "@coxswain/kinds";

/** Kinds that are kept but not acted on yet, and what does not happen: whoever makes one should not believe that it protects anything. */
const inert: Readonly<Record<string, string>> = {
  "apiregistration.k8s.io APIService": "aggregated API servers are not asked yet",
};

/** A warning for the client that makes an object of such a kind. */
export function inertWarning({ group, kind }: AnyKind): string | undefined {
  const key = `${group} ${kind}`;
  return Object.hasOwn(inert, key) ? `Coxswain keeps this ${kind} but does not act on it: ${inert[key]}` : undefined;
}
