import { quoteGo } from "@coxswain/apimachinery/field";
import { schemeGroupVersions } from "../../documents/schemas/scheme-group-versions.js";

interface GroupVersionResource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}

/** The setting of `--runtime-config` for a resource; undefined: none, its default counts. */
export type RuntimeConfig = (of: GroupVersionResource) => boolean | undefined;

/** Upstream's words, in the order in which they count: what comes later wins. */
const matchers: readonly (readonly [name: string, pattern: RegExp])[] = [
  ["api/all", /^/],
  ["api/ga", /^v\d+$/],
  ["api/beta", /^v\d+beta\d+$/],
  ["api/alpha", /^v\d+alpha\d+$/],
];

/** Core v1, whose group has no name, is /v1. Older words for it are taken too, and whatever stands behind them is not read. */
const oldNamesOfCore = /^(api\/)?v1(\/|$)/;
const matcherNames = new Set(matchers.map(([name]) => name));

/**
 * Reads `--runtime-config`: api/all, api/ga, api/beta and api/alpha first, then group/version, then group/version/resource.
 * Throws, with upstream's words, for names that Kubernetes 1.36 does not know and values that are no booleans.
 */
export function createRuntimeConfig(given: ReadonlyMap<string, string>): RuntimeConfig {
  const entries = new Map(
    [...given].flatMap(([key, value]) =>
      key === "api/legacy" ? [] : [[oldNamesOfCore.test(key) ? "/v1" : key, value] as const],
    ),
  );
  if (entries.size === 1 && entries.get("api/all") === "false")
    throw new Error("invalid runtime-config with only api/all=false");
  const named = [...entries].filter(([key]) => !matcherNames.has(key));
  checkNames(named.map(([key]) => key));
  const wide = matchers
    .filter(([name]) => entries.has(name))
    .map(([name, pattern]) => ({ pattern, enabled: wideValue(name, entries.get(name) ?? "") }));
  const exact = new Map(named.map(([key, value]) => [key, parseBool(key, value)]));
  return ({ group, version, resource }) =>
    exact.get(`${group}/${version}/${resource}`) ??
    exact.get(`${group}/${version}`) ??
    wide.findLast(({ pattern }) => pattern.test(version))?.enabled;
}

function checkNames(keys: readonly string[]): void {
  const groups = new Set(schemeGroupVersions.map(({ group }) => group));
  const versions = new Set(schemeGroupVersions.map(({ group, version }) => `${group}/${version}`));
  const split = keys.map((key) => ({ key, parts: key.split("/") }));
  const odd = split.find(({ parts }) => parts.length !== 2 && parts.length !== 3);
  if (odd) throw new Error(`runtime-config invalid key ${odd.key}`);
  const unknown = split
    .filter(({ parts: [group] }) => !groups.has(group ?? ""))
    .map(({ parts: [group, version] }) => `${group}/${version}`);
  if (unknown.length > 0) throw new Error(`unknown api groups ${[...new Set(unknown)].sort().join(",")}`);
  for (const { key, parts } of split) {
    const [group, version, resource] = parts;
    if (!versions.has(`${group}/${version}`))
      throw new Error(`group version ${group === "" ? version : `${group}/${version}`} that has not been registered`);
    if (resource !== undefined && resource !== resource.toLowerCase()) {
      throw new Error(
        `invalid key ${key}: group/version/resource and resource is always lowercase plural, not ${quoteGo(resource)}`,
      );
    }
  }
}

function wideValue(name: string, value: string): boolean {
  if (value !== "true" && value !== "false") throw new Error(`invalid value ${name}=${value}`);
  return value === "true";
}

const booleans = new Map<string, boolean>([
  ...["", "1", "t", "T", "TRUE", "true", "True"].map((text) => [text, true] as const),
  ...["0", "f", "F", "FALSE", "false", "False"].map((text) => [text, false] as const),
]);

function parseBool(key: string, value: string): boolean {
  const parsed = booleans.get(value);
  if (parsed === undefined)
    throw new Error(
      `invalid value of ${key}: ${value}, err: strconv.ParseBool: parsing ${quoteGo(value)}: invalid syntax`,
    );
  return parsed;
}
