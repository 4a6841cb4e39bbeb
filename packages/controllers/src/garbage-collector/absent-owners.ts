import { identityKey, type ObjectIdentity } from "./object-identity.js";

/** Owners that the server was found not to have; those asked for last are kept. A uid never comes again. */
export interface AbsentOwners {
  add(owner: ObjectIdentity): void;
  has(owner: ObjectIdentity): boolean;
}

export function createAbsentOwners(limit = 500): AbsentOwners {
  // A Map is in the order of insertion: the first is the one used longest ago.
  const keys = new Map<string, true>();
  const use = (key: string): void => {
    keys.delete(key);
    keys.set(key, true);
  };
  return {
    add(owner) {
      use(identityKey(owner));
      for (const oldest of keys.keys()) {
        if (keys.size <= limit) return;
        keys.delete(oldest);
      }
    },
    has(owner) {
      const key = identityKey(owner);
      const isKnown = keys.has(key);
      if (isKnown) use(key);
      return isKnown;
    },
  };
}
