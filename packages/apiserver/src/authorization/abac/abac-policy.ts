/** One line of an ABAC policy file, its older forms brought to one. */
export interface AbacPolicy {
  readonly user: string;
  readonly group: string;
  readonly readonly: boolean;
  readonly apiGroup: string;
  readonly resource: string;
  readonly namespace: string;
  readonly nonResourcePath: string;
}

const everybody = "system:authenticated";

/**
 * A policy file: one JSON object a line; empty lines and those that begin with # are skipped.
 * @throws naming the line that cannot be read
 */
export function parseAbacPolicies(text: string, path: string): AbacPolicy[] {
  return text.split(/\r?\n/).flatMap((line, at) => {
    const trimmed = line.trim();
    if (trimmed === "" || trimmed.startsWith("#")) return [];
    try {
      return [readPolicy(JSON.parse(trimmed))];
    } catch (err) {
      throw new Error(`error reading policy file ${path}, line ${at + 1}: ${line}: ${(err as Error).message}`, {
        cause: err,
      });
    }
  });
}

function readPolicy(value: unknown): AbacPolicy {
  const policy = membersOf(value);
  if (policy.apiVersion === undefined && policy.kind === undefined) return unversioned(policy);
  if (policy.apiVersion !== "abac.authorization.kubernetes.io/v1beta1" || policy.kind !== "Policy")
    throw new Error(
      `expected a Policy of abac.authorization.kubernetes.io/v1beta1, not ${String(policy.kind)} of ${String(policy.apiVersion)}`,
    );
  return forEverybody(specOf(membersOf(policy.spec ?? {})));
}

function specOf(spec: Readonly<Record<string, unknown>>): AbacPolicy {
  const text = (member: string): string => {
    const value = spec[member] ?? "";
    if (typeof value !== "string") throw new Error(`${member} must be a string`);
    return value;
  };
  const readonly = spec.readonly ?? false;
  if (typeof readonly !== "boolean") throw new Error("readonly must be true or false");
  return {
    user: text("user"),
    group: text("group"),
    readonly,
    apiGroup: text("apiGroup"),
    resource: text("resource"),
    namespace: text("namespace"),
    nonResourcePath: text("nonResourcePath"),
  };
}

/** A star stands for all who are authenticated. */
const forEverybody = (policy: AbacPolicy): AbacPolicy =>
  policy.user === "*" || policy.group === "*" ? { ...policy, group: everybody, user: "" } : policy;

/** In the form without a version, what is left out means all. */
function unversioned(members: Readonly<Record<string, unknown>>): AbacPolicy {
  const given = specOf(members);
  const policy = forEverybody(given.user === "" && given.group === "" ? { ...given, group: everybody } : given);
  const everything = given.namespace === "" && given.resource === "";
  return {
    ...policy,
    apiGroup: "*",
    namespace: given.namespace || "*",
    resource: given.resource || "*",
    nonResourcePath: everything ? "*" : "",
  };
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Error("expected an object");
  return value as Readonly<Record<string, unknown>>;
}
