/**
 * Compares version names the way Kubernetes ranks them: v2 before v1 before v1beta2 before v1beta1 before v1alpha1 before
 * anything else, which is in alphabetical order. Negative: `a` comes first.
 */
export function compareVersions(a: string, b: string): number {
  const left = rank(a);
  const right = rank(b);
  if (!left || !right) return left ? -1 : right ? 1 : a < b ? -1 : a > b ? 1 : 0;
  return right.stage - left.stage || right.major - left.major || right.minor - left.minor;
}

const stages = new Map([
  ["", 3],
  ["beta", 2],
  ["alpha", 1],
]);

function rank(version: string): { stage: number; major: number; minor: number } | undefined {
  const match = /^v([1-9][0-9]*)(?:(alpha|beta)([1-9][0-9]*))?$/.exec(version);
  return match
    ? { stage: stages.get(match[2] ?? "")!, major: Number(match[1]), minor: Number(match[3] ?? 0) }
    : undefined;
}
