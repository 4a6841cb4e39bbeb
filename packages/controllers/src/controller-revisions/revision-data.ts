import type { DeepReadonly } from "@coxswain/api";
import type { ControllerRevision } from "@coxswain/api/apps/v1";
import type { PodTemplateSpec } from "@coxswain/api/core/v1";
import { compareUtf8, encodeUtf8, goJson } from "@coxswain/apimachinery/text";
import { fnv1, safeEncode } from "../pod-template-hash/fnv.js";

/** A ControllerRevision as caches hold it. */
export type CachedRevision = DeepReadonly<ControllerRevision>;

/**
 * The patch that a revision holds: it puts the template in place of the one that is there. Its members are sorted:
 * kube-apiserver compares the text of `data`, which may not change, with what a patch of the revision makes of it.
 */
export const templatePatch = (template: DeepReadonly<PodTemplateSpec> | undefined): object =>
  sorted({ spec: { template: { ...template, $patch: "replace" } } }) as object;

/** The template that a revision's patch brings back. */
export function templateOf({ data }: CachedRevision): DeepReadonly<PodTemplateSpec> {
  const patch = data as { readonly spec?: { readonly template?: Readonly<Record<string, unknown>> } } | undefined;
  const { $patch: _, ...template } = patch?.spec?.template ?? {};
  return template as unknown as DeepReadonly<PodTemplateSpec>;
}

/** Of the patch as Go writes it, with its members sorted; equal to upstream's (pkg/controller/history/controller_history.go, HashControllerRevision), so that either recognises the other's. */
export function revisionHash(data: object, collisionCount: number | undefined): string {
  const text = goJson(sorted(data)) + (collisionCount === undefined ? "" : String(collisionCount));
  return safeEncode(fnv1(encodeUtf8(text)));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => compareUtf8(a, b));
  return Object.fromEntries(entries.map(([key, member]) => [key, sorted(member)]));
}

/** The longest part of an owner's name in the name of a revision. */
const longestPrefix = 223;

export const revisionName = (owner: string, hash: string): string => `${owner.slice(0, longestPrefix)}-${hash}`;

/** Oldest first. */
export const byRevision = (a: CachedRevision, b: CachedRevision): number =>
  a.revision - b.revision ||
  compareUtf8(a.metadata?.creationTimestamp ?? "", b.metadata?.creationTimestamp ?? "") ||
  compareUtf8(a.metadata?.name ?? "", b.metadata?.name ?? "");
