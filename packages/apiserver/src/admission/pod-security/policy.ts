import { type FieldError, fieldPath, invalid } from "@coxswain/apimachinery/field";
import { getOwn } from "@coxswain/apimachinery/own";

export type Level = "privileged" | "baseline" | "restricted";

/** How strict, and as of which minor version of Kubernetes 1. */
export interface LevelVersion {
  readonly level: Level;
  readonly version: number | "latest";
}

export const modes = ["enforce", "audit", "warn"] as const;
export type Mode = (typeof modes)[number];
export type Policy = Readonly<Record<Mode, LevelVersion>>;

const levels: readonly Level[] = ["privileged", "baseline", "restricted"];
export const labelPrefix = "pod-security.kubernetes.io/";
export const levelProblem = `must be one of ${levels.join(", ")}`;
export const versionProblem = 'must be "latest" or "v1.x"';

export const privileged: LevelVersion = { level: "privileged", version: "latest" };

export const readLevel = (text: string): Level | undefined => levels.find((level) => level === text);

export function readVersion(text: string): number | "latest" | undefined {
  if (text === "latest") return "latest";
  const minor = /^v1\.([0-9]|[1-9][0-9]*)$/.exec(text)?.[1];
  const version = minor === undefined ? undefined : Number(minor);
  return version !== undefined && Number.isSafeInteger(version) ? version : undefined;
}

/** -1: `a` is less strict than `b`. */
export const compareLevels = (a: Level, b: Level): number => Math.sign(levels.indexOf(a) - levels.indexOf(b));

export const showLevelVersion = ({ level, version }: LevelVersion): string =>
  `${level}:${version === "latest" ? version : `v1.${version}`}`;

export const sameLevelVersion = (a: LevelVersion, b: LevelVersion): boolean =>
  a.level === b.level && a.version === b.version;

const equivalent = (a: LevelVersion, b: LevelVersion): boolean =>
  (a.level === "privileged" && b.level === "privileged") || sameLevelVersion(a, b);
export const equivalentPolicies = (a: Policy, b: Policy): boolean =>
  modes.every((mode) => equivalent(a[mode], b[mode]));
export const isFullyPrivileged = (policy: Policy): boolean =>
  modes.every((mode) => policy[mode].level === "privileged");

export interface NamespacePolicy {
  readonly policy: Policy;
  readonly problems: readonly FieldError[];
}

/** What a namespace's labels ask for. A level that is none is the strictest for what is enforced, and none for the rest. */
export function readPolicy(labels: Readonly<Record<string, string>> | undefined, defaults: Policy): NamespacePolicy {
  const problems: FieldError[] = [];
  const policy = { ...defaults };
  const read = <T>(
    label: string,
    parse: (text: string) => T | undefined,
    problem: string,
    otherwise: T,
  ): T | undefined => {
    const text = getOwn(labels, label);
    if (text === undefined) return undefined;
    const value = parse(text);
    if (value === undefined) problems.push(invalid(fieldPath("metadata", "labels").key(label), text, problem));
    return value ?? otherwise;
  };
  for (const mode of modes) {
    const level = read<Level>(
      `${labelPrefix}${mode}`,
      readLevel,
      levelProblem,
      mode === "enforce" ? "restricted" : "privileged",
    );
    const version = read<number | "latest">(`${labelPrefix}${mode}-version`, readVersion, versionProblem, "latest");
    policy[mode] = { level: level ?? policy[mode].level, version: version ?? policy[mode].version };
  }
  const asked = readLevel(getOwn(labels, `${labelPrefix}enforce`) ?? "");
  const hasWarnLabel = getOwn(labels, `${labelPrefix}warn`) !== undefined;
  // A request that enforces more than before gets warnings for the same level.
  if (!hasWarnLabel && asked && compareLevels(asked, policy.warn.level) > 0) {
    policy.warn = {
      level: asked,
      version:
        getOwn(labels, `${labelPrefix}warn-version`) === undefined ? policy.enforce.version : policy.warn.version,
    };
  }
  return { policy, problems };
}
