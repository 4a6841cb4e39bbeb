interface Protected {
  readonly metadata?: { readonly deletionTimestamp?: string; readonly finalizers?: readonly string[] };
}

const has = ({ metadata }: Protected, finalizer: string): boolean => metadata?.finalizers?.includes(finalizer) ?? false;

/** It waits for this finalizer alone, as far as we are concerned. */
export const isDeletionCandidate = (object: Protected, finalizer: string): boolean =>
  Boolean(object.metadata?.deletionTimestamp) && has(object, finalizer);

/** A finalizer can be added only as long as nobody deletes the object. */
export const lacksProtection = (object: Protected, finalizer: string): boolean =>
  !object.metadata?.deletionTimestamp && !has(object, finalizer);

export const needsProtectionWork = (object: Protected, finalizer: string): boolean =>
  isDeletionCandidate(object, finalizer) || lacksProtection(object, finalizer);

/** Pure: what an object's finalizers become; undefined: they are right. */
export function planProtection(object: Protected, finalizer: string, isUsed: boolean): string[] | undefined {
  const finalizers = object.metadata?.finalizers ?? [];
  if (lacksProtection(object, finalizer)) return [...finalizers, finalizer];
  if (isDeletionCandidate(object, finalizer) && !isUsed) return finalizers.filter((each) => each !== finalizer);
  return undefined;
}
