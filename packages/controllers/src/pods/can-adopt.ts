interface Owner {
  readonly metadata?: {
    readonly name?: string;
    readonly namespace?: string;
    readonly uid?: string;
    readonly deletionTimestamp?: string | null;
  };
}

/**
 * Asks the server, not a cache, whether the owner still exists and is not being deleted: an owner that adopts after its
 * deletion began would take objects with it that somebody else should have.
 * @throws Error when it must not adopt
 */
export async function checkCanAdopt(kind: string, owner: Owner, get: () => Promise<Owner>): Promise<void> {
  const fresh = await get();
  const { namespace, name, uid } = owner.metadata ?? {};
  const { uid: freshUid, deletionTimestamp } = fresh.metadata ?? {};
  if (freshUid !== uid)
    throw new Error(`original ${kind} ${namespace}/${name} is gone: got uid ${freshUid}, wanted ${uid}`);
  if (deletionTimestamp) throw new Error(`${namespace}/${name} has just been deleted at ${deletionTimestamp}`);
}
