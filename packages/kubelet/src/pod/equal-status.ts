/**
 * Whether two JSON values mean the same in a status: a member that is null or an empty object counts as absent, since the
 * API server writes some of those that clients leave out (`lastState: {}`, `lastProbeTime: null`).
 */
export function equalStatus(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (isEmpty(a)) return isEmpty(b);
  if (typeof a !== "object" || typeof b !== "object" || b === null || a === null) return false;
  if (Array.isArray(a) || Array.isArray(b))
    return (
      Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((item, i) => equalStatus(item, b[i]))
    );
  const [left, right] = [a as Record<string, unknown>, b as Record<string, unknown>];
  return (
    Object.keys(left).every((key) => equalStatus(left[key], Object.hasOwn(right, key) ? right[key] : undefined)) &&
    Object.keys(right).every((key) => Object.hasOwn(left, key) || isEmpty(right[key]))
  );
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value !== "object" || Array.isArray(value)) return false;
  for (const key in value) if (Object.hasOwn(value, key)) return false;
  return true;
}
