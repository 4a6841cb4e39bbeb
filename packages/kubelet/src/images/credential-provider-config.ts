import { createHash } from "node:crypto";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { ownEntries } from "@coxswain/apimachinery/own";
import { parseDurationMs } from "@coxswain/apimachinery/time";
import { parseYaml } from "@coxswain/apimachinery/yaml";

/** One program that knows credentials of registries: an item of upstream's CredentialProviderConfig. */
export interface CredentialProvider {
  readonly name: string;
  readonly matchImages: readonly string[];
  /** A Go duration. */
  readonly defaultCacheDuration: string;
  readonly apiVersion: string;
  readonly args?: readonly string[];
  readonly env?: readonly { readonly name: string; readonly value: string }[];
  readonly tokenAttributes?: {
    readonly serviceAccountTokenAudience: string;
    readonly cacheType: "Token" | "ServiceAccount";
    readonly requireServiceAccount: boolean;
    readonly requiredServiceAccountAnnotationKeys?: readonly string[];
    readonly optionalServiceAccountAnnotationKeys?: readonly string[];
  };
}

const exchangeVersions = ["v1", "v1alpha1", "v1beta1"].map((version) => `credentialprovider.kubelet.k8s.io/${version}`);
const configVersions = ["v1", "v1alpha1", "v1beta1"].map((version) => `kubelet.config.k8s.io/${version}`);
const members = {
  provider: ["name", "matchImages", "defaultCacheDuration", "apiVersion", "args", "env", "tokenAttributes"],
  tokenAttributes: [
    "serviceAccountTokenAudience",
    "cacheType",
    "requireServiceAccount",
    "requiredServiceAccountAnnotationKeys",
    "optionalServiceAccountAnnotationKeys",
  ],
};

/** A file, or the *.json, *.yaml and *.yml files of a directory in the order of their names. @throws Error that names what is wrong */
export async function readProviderConfig(
  path: string,
): Promise<{ readonly providers: readonly CredentialProvider[]; readonly hash: string }> {
  const files = (await stat(path)).isDirectory() ? await filesIn(path) : [path];
  const hash = createHash("sha256");
  const providers: CredentialProvider[] = [];
  for (const file of files) {
    const data = await readFile(file);
    const length = Buffer.alloc(8);
    length.writeBigUInt64BE(BigInt(data.length));
    hash.update(length).update(data);
    for (const provider of decode(file, data.toString("utf8"))) {
      if (providers.some(({ name }) => name === provider.name))
        throw new Error(`duplicate provider name "${provider.name}" found in configuration file(s)`);
      providers.push(provider);
    }
  }
  const problems = validateProviders(providers);
  if (problems.length > 0) throw new Error(`failed to validate credential provider config: ${problems.join(", ")}`);
  return { providers, hash: `sha256:${hash.digest("hex")}` };
}

async function filesIn(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { withFileTypes: true });
  const files = entries.filter((entry) => !entry.isDirectory() && /\.(?:json|ya?ml)$/.test(entry.name));
  if (files.length === 0) throw new Error(`no configuration files found in directory "${directory}"`);
  return files.map(({ name }) => join(directory, name)).toSorted();
}

function decode(file: string, text: string): CredentialProvider[] {
  const fail = (problem: string): never => {
    throw new Error(`error decoding config "${file}": ${problem}`);
  };
  const { value } = parseYaml(text);
  if (typeof value !== "object" || value === null) return fail("expected an object");
  const { apiVersion, kind, providers, ...rest } = value as Record<string, unknown>;
  if (kind !== "CredentialProviderConfig") return fail(`failed to decode "${String(kind)}" (wrong Kind)`);
  if (!configVersions.includes(String(apiVersion))) return fail(`no kind is registered for ${String(apiVersion)}`);
  for (const name of Object.keys(rest)) fail(`strict decoding error: unknown field ${JSON.stringify(name)}`);
  const items = (providers ?? []) as CredentialProvider[];
  if (!Array.isArray(items) || items.some((item) => typeof item !== "object" || item === null))
    return fail("providers: expected a list of objects");
  for (const [i, item] of items.entries()) {
    unknown(item, members.provider, `providers[${i}]`, fail);
    unknown(item.tokenAttributes ?? {}, members.tokenAttributes, `providers[${i}].tokenAttributes`, fail);
  }
  return items;
}

function unknown(value: object, names: readonly string[], path: string, fail: (problem: string) => never): void {
  for (const [name] of ownEntries(value as Record<string, unknown>))
    if (!names.includes(name)) fail(`strict decoding error: unknown field "${path}.${name}"`);
}

/** Pure: upstream's `validateCredentialProviderConfig` (pkg/credentialprovider/plugin/config.go). */
export function validateProviders(providers: readonly CredentialProvider[]): string[] {
  if (providers.length === 0) return ["providers: Required value: at least 1 item in plugins is required"];
  return providers.flatMap((provider) => [
    ...nameProblems(provider.name ?? ""),
    ...(exchangeVersions.includes(provider.apiVersion)
      ? []
      : [
          provider.apiVersion
            ? `providers.apiVersion: Unsupported value: "${provider.apiVersion}": supported values: ${exchangeVersions.map((each) => `"${each}"`).join(", ")}`
            : "providers.apiVersion: Required value",
        ]),
    ...((provider.matchImages ?? []).length > 0
      ? []
      : ["providers.matchImages: Required value: at least 1 item in matchImages is required"]),
    ...durationProblems(provider.defaultCacheDuration),
    ...tokenProblems(provider),
  ]);
}

function nameProblems(name: string): string[] {
  const invalid = (problem: string): string => `providers.name: Invalid value: "${name}": provider name ${problem}`;
  if (name === "") return ["providers.name: Required value"];
  return [
    ...(name.includes("/") ? [invalid("cannot contain '/'")] : []),
    ...(name.includes(" ") ? [invalid("cannot contain spaces")] : []),
    ...(name === "." || name === ".." ? [invalid(`cannot be '${name}'`)] : []),
  ];
}

function durationProblems(text: string | undefined): string[] {
  if (text === undefined) return ["providers.defaultCacheDuration: Required value"];
  const ms = parseDurationMs(text);
  if (ms !== undefined && ms >= 0) return [];
  return [`providers.defaultCacheDuration: Invalid value: "${text}": must be greater than or equal to 0`];
}

function tokenProblems({ apiVersion, tokenAttributes: token }: CredentialProvider): string[] {
  if (!token) return [];
  const path = "providers.tokenAttributes";
  const required = token.requiredServiceAccountAnnotationKeys ?? [];
  const twice = required.filter((key) => token.optionalServiceAccountAnnotationKeys?.includes(key));
  const types = ["ServiceAccount", "Token"];
  return [
    ...(token.serviceAccountTokenAudience ? [] : [`${path}.serviceAccountTokenAudience: Required value`]),
    ...(typeof token.requireServiceAccount === "boolean" ? [] : [`${path}.requireServiceAccount: Required value`]),
    ...(apiVersion === exchangeVersions[0]
      ? []
      : [`${path}: Forbidden: tokenAttributes is only supported for ${exchangeVersions[0]} API version`]),
    ...(token.requireServiceAccount === false && required.length > 0
      ? [
          `${path}.requiredServiceAccountAnnotationKeys: Forbidden: requireServiceAccount cannot be false when requiredServiceAccountAnnotationKeys is set`,
        ]
      : []),
    ...(twice.length > 0
      ? [`${path}: Invalid value: ${JSON.stringify(twice)}: annotation keys cannot be both required and optional`]
      : []),
    ...(types.includes(token.cacheType)
      ? []
      : [
          `${path}.cacheType: Unsupported value: "${token.cacheType ?? ""}": supported values: "ServiceAccount", "Token"`,
        ]),
  ];
}
