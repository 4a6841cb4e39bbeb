const form = /^v([0-9]+)(?:(alpha|beta)([0-9]+))?$/;
const stages = ["alpha", "beta", ""];

interface KubeVersion {
  readonly stage: number;
  readonly major: number;
  readonly minor: number;
}

function parse(version: string): KubeVersion | undefined {
  const [whole, major = "", stage = "", minor = "0"] = form.exec(version) ?? [];
  return whole === undefined ? undefined : { stage: stages.indexOf(stage), major: Number(major), minor: Number(minor) };
}

/**
 * Orders API versions by maturity: negative when `a` ranks below `b`. v2 > v1 > v1beta2 > v1beta1 > v1alpha1; names of
 * another form rank below all of these, and among themselves from a to z.
 */
export function compareKubeVersions(a: string, b: string): number {
  if (a === b) return 0;
  const [left, right] = [parse(a), parse(b)];
  if (left === undefined && right === undefined) return a < b ? 1 : -1;
  if (left === undefined) return -1;
  if (right === undefined) return 1;
  return left.stage - right.stage || left.major - right.major || left.minor - right.minor;
}

/** The versions, the best first. */
export const sortKubeVersions = (versions: readonly string[]): string[] =>
  [...versions].sort((a, b) => compareKubeVersions(b, a));
