import type { ObjectMeta, OwnerReference } from "@coxswain/apimachinery/meta";

/** Owner references that are equal in every member are one. Answers a warning for the client when there were some. */
export function dropRepeatedOwners(meta: ObjectMeta, when: "before admission" | "after admission"): string | undefined {
  const owners = meta.ownerReferences;
  if (!owners || owners.length < 2) return undefined;
  const kept: OwnerReference[] = [];
  const repeated: string[] = [];
  const known = new Set<string>();
  for (const owner of owners) {
    const key = keyOf(owner);
    if (known.has(key)) repeated.push(owner.uid);
    else kept.push(owner);
    known.add(key);
  }
  if (repeated.length === 0) return undefined;
  meta.ownerReferences = kept;
  const place = when === "before admission" ? "" : " after mutating admission happens";
  return `.metadata.ownerReferences contains duplicate entries${place}; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${repeated.join(", ")}`;
}

/** The same text for references that are equal, whatever the order of their members. A look-up each: comparing all with all is quadratic. */
const keyOf = (owner: OwnerReference): string =>
  JSON.stringify(
    Object.entries(owner)
      .filter(([, value]) => value !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
