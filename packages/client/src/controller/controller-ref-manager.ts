import { formatGroupVersion, type GroupVersionKind, type OwnerReference } from "@coxswain/apimachinery/meta";
import type { Selector } from "@coxswain/apimachinery/selector";
import { isInvalid, isNotFound } from "@coxswain/apimachinery/status";

/** As much of an object as ownership needs. */
export interface Claimable {
  readonly metadata?: {
    readonly name?: string;
    readonly namespace?: string;
    readonly uid?: string;
    readonly deletionTimestamp?: string | null;
    readonly labels?: Readonly<Record<string, string>>;
    readonly ownerReferences?: readonly Readonly<OwnerReference>[];
  };
}

/** What to do with an object that the controller may own. */
export type Claim = "keep" | "adopt" | "release" | "ignore";

/** Pure: whether the controller owns the object, should own it, or should no longer. */
export function decideClaim(controller: Claimable, object: Claimable, matches: boolean): Claim {
  const owner = object.metadata?.ownerReferences?.find((reference) => reference.controller === true);
  const leaving = Boolean(controller.metadata?.deletionTimestamp);
  if (owner !== undefined) {
    if (owner.uid !== controller.metadata?.uid) return "ignore";
    // Keeping needs no act, so a controller that is being deleted keeps what it has.
    if (matches) return "keep";
    return leaving ? "ignore" : "release";
  }
  if (leaving || !matches || object.metadata?.deletionTimestamp) return "ignore";
  const namespace = controller.metadata?.namespace ?? "";
  return namespace === "" || namespace === object.metadata?.namespace ? "adopt" : "ignore";
}

export interface ClaimOptions<T> {
  readonly controller: Claimable;
  readonly kind: GroupVersionKind;
  readonly selector: Selector;
  /** Further conditions, asked after the selector. */
  readonly filter?: (object: T) => boolean;
  /** Added on adoption, removed on release. */
  readonly finalizers?: readonly string[];
  /**
   * Looks at the server, not at a cache, whether the controller still exists and is not being deleted; throws if not.
   * Called at most once, and only before an adoption.
   */
  readonly canAdopt?: () => Promise<void>;
  /** Sends a strategic merge patch. */
  readonly patch: (object: T, patch: object) => Promise<unknown>;
}

/**
 * Adopts orphans that match, releases owned objects that no longer do, and returns what the controller owns now.
 * @throws AggregateError with what failed, after all objects were tried
 */
export async function claimObjects<T extends Claimable>(objects: readonly T[], options: ClaimOptions<T>): Promise<T[]> {
  const { controller, kind, selector, filter = () => true, finalizers = [], patch } = options;
  const canAdopt = once(options.canAdopt ?? (() => Promise.resolve()));
  const claimed: T[] = [];
  const failures: unknown[] = [];

  async function adopt(object: T): Promise<boolean> {
    try {
      await canAdopt();
    } catch (cause) {
      const { namespace, name, uid } = object.metadata ?? {};
      throw new Error(`can't adopt ${namespace}/${name} (${uid})`, { cause });
    }
    return ignoring(isNotFound, () => patch(object, adoptionPatch(controller, kind, object, finalizers)));
  }

  for (const object of objects) {
    try {
      const matches = selector.matches(object.metadata?.labels) && filter(object);
      const claim = decideClaim(controller, object, matches);
      if (claim === "keep" || (claim === "adopt" && (await adopt(object)))) claimed.push(object);
      else if (claim === "release") {
        // Invalid: it has no such owner any more, or is another object of that name.
        const gone = (error: unknown): boolean => isNotFound(error) || isInvalid(error);
        await ignoring(gone, () => patch(object, releasePatch(controller, object, finalizers)));
      }
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, failures.map(String).join("; "));
  return claimed;
}

/** The uid makes the server refuse the patch when the object was replaced by a namesake. */
export const adoptionPatch = (
  controller: Claimable,
  kind: GroupVersionKind,
  object: Claimable,
  finalizers: readonly string[] = [],
): object => ({
  metadata: {
    ownerReferences: [
      {
        apiVersion: formatGroupVersion(kind),
        kind: kind.kind,
        name: controller.metadata?.name ?? "",
        uid: controller.metadata?.uid ?? "",
        controller: true,
        blockOwnerDeletion: true,
      },
    ],
    uid: object.metadata?.uid ?? "",
    ...(finalizers.length > 0 ? { finalizers } : {}),
  },
});

export const releasePatch = (controller: Claimable, object: Claimable, finalizers: readonly string[] = []): object => ({
  metadata: {
    uid: object.metadata?.uid ?? "",
    ownerReferences: [{ $patch: "delete", uid: controller.metadata?.uid ?? "" }],
    ...(finalizers.length > 0 ? { "$deleteFromPrimitiveList/finalizers": finalizers } : {}),
  },
});

/** True when it was done, false when it failed in a way that means it need not be. */
async function ignoring(harmless: (error: unknown) => boolean, act: () => Promise<unknown>): Promise<boolean> {
  try {
    await act();
    return true;
  } catch (error) {
    if (harmless(error)) return false;
    throw error;
  }
}

function once(work: () => Promise<void>): () => Promise<void> {
  let result: Promise<void> | undefined;
  return () => (result ??= work());
}
