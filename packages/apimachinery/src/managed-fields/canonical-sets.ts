/** Sets known to be canonical: those that were read once. */
export const canonicalSets = new WeakSet<object>();
