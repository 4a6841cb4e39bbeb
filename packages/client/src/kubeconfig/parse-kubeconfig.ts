import { isJsonObject } from "@coxswain/apimachinery/json";
import { getOwn } from "@coxswain/apimachinery/own";
import { parseYaml } from "@coxswain/apimachinery/yaml";
import type { Kubeconfig } from "./kubeconfig.js";
import { KubeconfigError } from "./kubeconfig-error.js";

/** What a member must be. Others are nobody's business here and are kept as they are. */
type Shape = "string" | "boolean" | "strings" | "string map" | "string lists" | Members | { readonly list: Members };
interface Members {
  readonly [name: string]: Shape;
}

const extensions: Shape = { list: { name: "string" } };

const shape: Members = {
  apiVersion: "string",
  kind: "string",
  "current-context": "string",
  clusters: {
    list: {
      name: "string",
      cluster: {
        server: "string",
        "tls-server-name": "string",
        "insecure-skip-tls-verify": "boolean",
        "certificate-authority": "string",
        "certificate-authority-data": "string",
        "proxy-url": "string",
        "disable-compression": "boolean",
        extensions,
      },
    },
  },
  users: {
    list: {
      name: "string",
      user: {
        "client-certificate": "string",
        "client-certificate-data": "string",
        "client-key": "string",
        "client-key-data": "string",
        token: "string",
        tokenFile: "string",
        as: "string",
        "as-uid": "string",
        "as-groups": "strings",
        "as-user-extra": "string lists",
        username: "string",
        password: "string",
        "auth-provider": { name: "string", config: "string map" },
        exec: {
          apiVersion: "string",
          command: "string",
          args: "strings",
          env: { list: { name: "string", value: "string" } },
          installHint: "string",
          provideClusterInfo: "boolean",
          interactiveMode: "string",
        },
      },
    },
  },
  contexts: { list: { name: "string", context: { cluster: "string", user: "string", namespace: "string" } } },
};

/** Reads YAML or JSON. An empty text is an empty kubeconfig, as for kubectl. @throws KubeconfigError */
export function parseKubeconfig(text: string, file?: string): Kubeconfig {
  if (text.trim() === "") return {};
  let value: unknown;
  try {
    value = parseYaml(text).value;
  } catch (cause) {
    throw new KubeconfigError(`it is neither YAML nor JSON: ${(cause as Error).message}`, { file }, { cause });
  }
  if (value === null) return {};
  const problem = check(value, shape, "");
  if (problem !== undefined) throw new KubeconfigError(problem.text, { file, field: problem.field || undefined });
  const config = value as Kubeconfig;
  if (config.kind !== undefined && config.kind !== "" && config.kind !== "Config")
    throw new KubeconfigError(`must be "Config", not ${JSON.stringify(config.kind)}`, { file, field: "kind" });
  if (config.apiVersion !== undefined && config.apiVersion !== "" && config.apiVersion !== "v1")
    throw new KubeconfigError(`must be "v1", not ${JSON.stringify(config.apiVersion)}`, { file, field: "apiVersion" });
  for (const list of ["clusters", "users", "contexts"] as const) {
    const names = new Set<string>();
    for (const { name } of config[list] ?? []) {
      if (names.has(name))
        throw new KubeconfigError(`the name ${JSON.stringify(name)} is there twice`, { file, field: list });
      names.add(name);
    }
  }
  return config;
}

type Problem = { readonly field: string; readonly text: string } | undefined;

/** The first member that is not what it must be. Null is absence, as for Go. */
function check(value: unknown, wanted: Shape, field: string): Problem {
  if (value === null || value === undefined) return undefined;
  const not = (what: string): Problem => ({ field, text: `must be ${what}, not ${kindOf(value)}` });
  if (wanted === "string") return typeof value === "string" ? undefined : not("a string");
  if (wanted === "boolean") return typeof value === "boolean" ? undefined : not("true or false");
  if (wanted === "strings") return isStrings(value) ? undefined : not("a list of strings");
  if (!isJsonObject(value) && !(isList(wanted) && Array.isArray(value)))
    return not(isList(wanted) ? "a list" : "an object");
  if (wanted === "string map")
    return Object.values(value).every((one) => typeof one === "string") ? undefined : not("an object of strings");
  if (wanted === "string lists")
    return Object.values(value).every(isStrings) ? undefined : not("an object of lists of strings");
  if (isList(wanted)) {
    if (!Array.isArray(value)) return not("a list");
    return first(value.map((item, index) => check(item, wanted.list, `${field}[${nameOf(item) ?? index}]`)));
  }
  const prefix = field === "" ? "" : `${field}.`;
  return first(
    Object.entries(wanted).map(([name, inner]) =>
      check(getOwn(value as Record<string, unknown>, name), inner, prefix + name),
    ),
  );
}

const first = (problems: readonly Problem[]): Problem => problems.find((problem) => problem !== undefined);
const isList = (wanted: Shape): wanted is { readonly list: Members } => typeof wanted === "object" && "list" in wanted;
const isStrings = (value: unknown): boolean => Array.isArray(value) && value.every((one) => typeof one === "string");
const kindOf = (value: unknown): string =>
  Array.isArray(value) ? "a list" : isJsonObject(value) ? "an object" : `${typeof value} ${String(value)}`;

function nameOf(item: unknown): string | undefined {
  const name = isJsonObject(item) ? item["name"] : undefined;
  return typeof name === "string" ? JSON.stringify(name) : undefined;
}
