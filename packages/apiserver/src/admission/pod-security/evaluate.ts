import { baselineChecks } from "./baseline-checks.js";
import type { Check, CheckPod, PodUnderCheck, Violation } from "./check.js";
import type { LevelVersion } from "./policy.js";
import { restrictedChecks } from "./restricted-checks.js";

const inForce = ({ versions }: Check, minor: number): CheckPod | undefined =>
  versions.findLast(({ from }) => from <= minor)?.check;

/** The checks of a level at a version: those of the baseline first, each group by id. */
function checksFor({ level, version }: LevelVersion): CheckPod[] {
  if (level === "privileged") return [];
  const minor = version === "latest" ? Number.MAX_SAFE_INTEGER : version;
  const restricted = level === "restricted" ? restrictedChecks.filter((check) => inForce(check, minor)) : [];
  const overridden = new Set(restricted.map(({ overrides }) => overrides));
  return [...baselineChecks.filter(({ id }) => !overridden.has(id)), ...restricted].flatMap(
    (check) => inForce(check, minor) ?? [],
  );
}

/** What is wrong with the pod at that level; empty when it is allowed. */
export const evaluatePod = (policy: LevelVersion, pod: PodUnderCheck): Violation[] =>
  checksFor(policy).flatMap((check) => check(pod) ?? []);

export const showReasons = (violations: readonly Violation[]): string =>
  violations.map(({ reason }) => reason).join(", ");
export const showDetails = (violations: readonly Violation[]): string =>
  violations.map(({ reason, detail }) => (detail === "" ? reason : `${reason} (${detail})`)).join(", ");
