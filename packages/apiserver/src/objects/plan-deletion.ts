import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { conflict } from "@coxswain/apimachinery/status";
import { formatTime } from "@coxswain/apimachinery/time";
import type { AnyKind, Strategy } from "@coxswain/kinds";

export interface DeleteOptions {
  readonly gracePeriodSeconds?: number;
  readonly orphanDependents?: boolean;
  readonly propagationPolicy?: string;
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
  readonly dryRun?: readonly string[];
  /** Whether an object that cannot be read is to be deleted; see `deleteUnreadable`. */
  readonly ignoreStoreReadErrorWithClusterBreakingPotential?: boolean;
}

export type DeletionPlan =
  /** A deletion with no less grace is under way already. */
  | { readonly kind: "pending" }
  /** The object stays until its finalizers are gone or its grace is over. */
  | { readonly kind: "mark"; readonly object: KubernetesObject }
  | { readonly kind: "remove" };

/** Pure: what a delete request means for the object as it is. `object` may be changed; it is a private copy. */
export function planDeletion(
  kind: AnyKind,
  object: KubernetesObject,
  options: DeleteOptions,
  now: number,
): DeletionPlan {
  checkPreconditions(kind, object, options);
  const grace = planGrace(kind.strategy as Strategy<KubernetesObject>, object, options, now);
  if (grace === "pending") return { kind: "pending" };
  const finalizers = finalizersFor(kind.strategy as Strategy<KubernetesObject>, object, options);
  if (finalizers.length > 0) object.metadata.finalizers = finalizers;
  else delete object.metadata.finalizers;
  if (finalizers.length === 0) return grace !== "none" && grace > 0 ? { kind: "mark", object } : { kind: "remove" };
  if (grace === "none") markAsDeleting(object, now);
  return { kind: "mark", object };
}

/** The grace in seconds that was marked on the object; "none": it goes at once, unless finalizers hold it. */
function planGrace(
  strategy: Strategy<KubernetesObject>,
  object: KubernetesObject,
  options: DeleteOptions,
  now: number,
): number | "none" | "pending" {
  const { metadata } = object;
  // Negative values mean one second, in options and in old objects.
  const requested =
    options.gracePeriodSeconds === undefined
      ? undefined
      : options.gracePeriodSeconds < 0
        ? 1
        : options.gracePeriodSeconds;
  if ((metadata.deletionGracePeriodSeconds ?? 0) < 0) metadata.deletionGracePeriodSeconds = 1;
  if (!strategy.gracePeriod) return "none";
  if (metadata.deletionTimestamp) return shorten(object, requested, now);
  const grace = strategy.gracePeriod(object, requested);
  metadata.deletionTimestamp = formatTime(now + grace * 1000);
  metadata.deletionGracePeriodSeconds = grace;
  if ((metadata.generation ?? 0) > 0) metadata.generation = (metadata.generation ?? 0) + 1;
  return grace;
}

/** A deletion under way can only be made shorter. */
function shorten(
  { metadata }: KubernetesObject,
  requested: number | undefined,
  now: number,
): number | "none" | "pending" {
  const left = metadata.deletionGracePeriodSeconds ?? 0;
  if (left === 0) return "none";
  if (requested === undefined || requested >= left) return "pending";
  let grace = requested;
  let end = Date.parse(metadata.deletionTimestamp ?? "") + (requested - left) * 1000;
  if (end < now) {
    // It never ends in the past, and as long as grace was asked for somebody else makes the last step.
    end = now;
    if (grace !== 0) grace = 1;
  }
  metadata.deletionTimestamp = formatTime(end);
  metadata.deletionGracePeriodSeconds = grace;
  return grace;
}

/** For kinds without grace that finalizers hold back. */
function markAsDeleting({ metadata }: KubernetesObject, now: number): void {
  if (!metadata.deletionTimestamp && (metadata.generation ?? 0) > 0)
    metadata.generation = (metadata.generation ?? 0) + 1;
  if (!metadata.deletionTimestamp || Date.parse(metadata.deletionTimestamp) > now)
    metadata.deletionTimestamp = formatTime(now);
  metadata.deletionGracePeriodSeconds = 0;
}

const orphan = "orphan";
const foreground = "foregroundDeletion";

/** The finalizers with those of the garbage collector as the client, the object or the kind wants them. */
function finalizersFor(
  strategy: Strategy<KubernetesObject>,
  { metadata }: KubernetesObject,
  options: DeleteOptions,
): string[] {
  const existing = metadata.finalizers ?? [];
  const wanted = dependents(strategy, existing, options);
  const others = existing.filter((name) => name !== orphan && name !== foreground);
  const next = wanted === undefined ? others : [...others, wanted];
  const same = next.length === existing.length && next.every((name) => existing.includes(name));
  return same ? existing : next;
}

/** Which of the collector's finalizers applies. The client's word comes first, then the object's, then the kind's. */
function dependents(
  strategy: Strategy<KubernetesObject>,
  existing: readonly string[],
  options: DeleteOptions,
): string | undefined {
  if (strategy.garbageCollection === "unsupported") return undefined;
  if (options.orphanDependents !== undefined) return options.orphanDependents ? orphan : undefined;
  if (options.propagationPolicy === "Orphan") return orphan;
  if (options.propagationPolicy === "Foreground") return foreground;
  if (options.propagationPolicy === "Background") return undefined;
  const own = existing.find((name) => name === orphan || name === foreground);
  return own ?? (strategy.garbageCollection === "orphan" ? orphan : undefined);
}

function checkPreconditions(kind: AnyKind, { metadata }: KubernetesObject, { preconditions }: DeleteOptions): void {
  // Upstream puts the kind where the resource belongs here.
  const resource = { group: kind.group, resource: kind.kind };
  const name = metadata.name ?? "";
  const { uid, resourceVersion } = preconditions ?? {};
  if (uid !== undefined && uid !== metadata.uid) {
    throw conflict(
      resource,
      name,
      `the UID in the precondition (${uid}) does not match the UID in record (${metadata.uid ?? ""}). The object might have been deleted and then recreated`,
    );
  }
  if (resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion) {
    throw conflict(
      resource,
      name,
      `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${metadata.resourceVersion ?? ""}). The object might have been modified`,
    );
  }
}
