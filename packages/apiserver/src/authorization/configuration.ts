import {
  duplicate,
  type FieldError,
  type FieldPath,
  fieldErrorsText,
  fieldPath,
  invalid,
  notSupported,
  required,
  tooMany,
} from "@coxswain/apimachinery/field";
import { formatDurationMs, parseDurationMs } from "@coxswain/apimachinery/time";
import { checkDnsSubdomain } from "@coxswain/apimachinery/validation";
import type { ClientConfig } from "@coxswain/component/kubeconfig";
import { type AccessExpressions, requireExpressions } from "../configuration/access-expressions.js";
import { compiledOr } from "../configuration/compiled-expression.js";
import { decodeStrictly } from "../configuration/decode-configuration.js";
import type { AuthorizerConfig, ReviewCondition, WebhookSettings } from "./authorizer-config.js";
import { type AuthorizationMode, authorizationModes } from "./modes.js";

export interface ConfigurationFiles {
  /** Reads the kubeconfig of a webhook. Throws when it cannot be read. */
  readConnection(path: string): ClientConfig;
  /** Compiles match conditions; a file that has some is refused without it. */
  readonly expressions?: AccessExpressions | undefined;
}

const configurationKind = {
  kind: "AuthorizationConfiguration",
  group: "apiserver.config.k8s.io",
  versions: ["v1", "v1beta1", "v1alpha1"],
};
const knownTypes = ["ABAC", "AlwaysAllow", "AlwaysDeny", "Node", "RBAC", "Webhook"];
const longestTimeoutMs = 30_000;
const mostConditions = 64;

interface GivenWebhook {
  readonly authorizedTTL?: string;
  readonly cacheAuthorizedRequests?: boolean;
  readonly unauthorizedTTL?: string;
  readonly cacheUnauthorizedRequests?: boolean;
  readonly timeout?: string;
  readonly subjectAccessReviewVersion?: string;
  readonly matchConditionSubjectAccessReviewVersion?: string;
  readonly failurePolicy?: string;
  readonly connectionInfo?: { readonly type?: string; readonly kubeConfigFile?: string | null };
  readonly matchConditions?: readonly { readonly expression?: string }[];
}
interface Given {
  readonly type?: string;
  readonly name?: string;
  readonly webhook?: GivenWebhook;
}

/**
 * The chain of an AuthorizationConfiguration (`--authorization-config`).
 * @throws with everything that is wrong with it
 */
export function readAuthorizationConfiguration(text: string, files: ConfigurationFiles): AuthorizerConfig[] {
  const { authorizers = [] } = text === "" ? {} : load(text);
  const errors: FieldError[] = [];
  const path = fieldPath("authorizers");
  if (authorizers.length === 0) errors.push(required(path, "at least one authorization mode must be defined"));
  const types = new Set<string>();
  const names = new Set<string>();
  const configs = authorizers.flatMap((given, at) =>
    readAuthorizer(given, path.index(at), { errors, types, names, files }),
  );
  const wrong = fieldErrorsText(errors);
  if (wrong !== undefined) throw new Error(wrong);
  return configs;
}

function load(text: string): { readonly authorizers?: readonly Given[] } {
  try {
    return decodeStrictly(text, configurationKind);
  } catch (err) {
    throw new Error(`failed to load AuthorizationConfiguration from file: ${(err as Error).message}`, { cause: err });
  }
}

interface Reading {
  readonly errors: FieldError[];
  readonly types: Set<string>;
  readonly names: Set<string>;
  readonly files: ConfigurationFiles;
}

function readAuthorizer(
  { type = "", name = "", webhook }: Given,
  path: FieldPath,
  { errors, types, names, files }: Reading,
): AuthorizerConfig[] {
  const wrongType =
    type === ""
      ? required(path.child("type"), "")
      : !knownTypes.includes(type)
        ? notSupported(path.child("type"), type, knownTypes)
        : types.has(type) && type !== "Webhook"
          ? duplicate(path.child("type"), type)
          : undefined;
  if (wrongType) {
    errors.push(wrongType);
    return [];
  }
  types.add(type);
  const wrongName = checkDnsSubdomain(name);
  if (name === "") errors.push(required(path.child("name"), ""));
  else if (names.has(name)) errors.push(duplicate(path.child("name"), name));
  else if (wrongName.length > 0)
    errors.push(invalid(path.child("name"), name, `authorizer name is invalid: ${wrongName.join(", ")}`));
  names.add(name);
  if (type === "Webhook") {
    if (webhook)
      return readWebhook(webhook, path, { errors, files }).map((settings) => ({ type, name, webhook: settings }));
    errors.push(required(path.child("webhook"), "required when type=Webhook"));
    return [];
  }
  if (webhook) errors.push(invalid(path.child("webhook"), "non-null", "may only be specified when type=Webhook"));
  if (type === "ABAC")
    errors.push(
      invalid(path.child("type"), type, "needs --authorization-policy-file, which only --authorization-mode takes"),
    );
  return (authorizationModes as readonly string[]).includes(type) ? [{ type: type as AuthorizationMode, name }] : [];
}

/** As upstream does (k8s.io/apiserver/pkg/apis/apiserver/validation/validation.go, ValidateAuthorizationConfiguration), errors name the authorizer and not of its webhook. */
function readWebhook(
  given: GivenWebhook,
  path: FieldPath,
  { errors, files }: Pick<Reading, "errors" | "files">,
): WebhookSettings[] {
  const before = errors.length;
  const timeoutMs = durationOf(given.timeout);
  if (timeoutMs === 0) errors.push(required(path.child("timeout"), ""));
  else if (timeoutMs < 0 || timeoutMs > longestTimeoutMs)
    errors.push(invalid(path.child("timeout"), formatDurationMs(timeoutMs), "must be > 0s and <= 30s"));
  const authorizedMs = durationOf(given.authorizedTTL) || 5 * 60_000;
  const unauthorizedMs = durationOf(given.unauthorizedTTL) || 30_000;
  for (const [member, ms] of [
    ["authorizedTTL", authorizedMs],
    ["unauthorizedTTL", unauthorizedMs],
  ] as const)
    if (ms < 0) errors.push(invalid(path.child(member), formatDurationMs(ms), "must be > 0s"));
  chosen(given.subjectAccessReviewVersion, ["v1", "v1beta1"], path.child("subjectAccessReviewVersion"), errors);
  if (given.matchConditionSubjectAccessReviewVersion)
    chosen(
      given.matchConditionSubjectAccessReviewVersion,
      ["v1"],
      path.child("matchConditionSubjectAccessReviewVersion"),
      errors,
    );
  else if ((given.matchConditions?.length ?? 0) > 0)
    errors.push(
      required(path.child("matchConditionSubjectAccessReviewVersion"), "required if match conditions are specified"),
    );
  chosen(given.failurePolicy, ["NoOpinion", "Deny"], path.child("failurePolicy"), errors);
  const connection = readConnection(given, path.child("connectionInfo"), { errors, files });
  const conditions = readConditions(given, path, { errors, files });
  if (errors.length > before || !connection) return [];
  return [
    {
      connection,
      version: given.subjectAccessReviewVersion as WebhookSettings["version"],
      timeoutMs,
      authorizedMs: given.cacheAuthorizedRequests === false ? 0 : authorizedMs,
      unauthorizedMs: given.cacheUnauthorizedRequests === false ? 0 : unauthorizedMs,
      failurePolicy: given.failurePolicy as WebhookSettings["failurePolicy"],
      ...(conditions.length > 0 && { conditions }),
    },
  ];
}

function readConditions(
  { matchConditions = [] }: GivenWebhook,
  path: FieldPath,
  { errors, files }: Pick<Reading, "errors" | "files">,
): ReviewCondition[] {
  const here = path.child("matchConditions");
  if (matchConditions.length > mostConditions) {
    errors.push(tooMany(here, matchConditions.length, mostConditions));
    return [];
  }
  const seen = new Set<string>();
  return matchConditions.flatMap(({ expression = "" }, index) => {
    const at = here.index(index).child("expression");
    if (expression.trim() === "" || seen.has(expression)) {
      errors.push(seen.has(expression) ? duplicate(at, expression) : required(at, ""));
      return [];
    }
    seen.add(expression);
    const { compileReviewCondition } = requireExpressions(files.expressions);
    return compiledOr(compileReviewCondition(expression), { expression, path: at, errors }) ?? [];
  });
}

/** Upstream's API documents as much, and its server ends with a nil dereference, inside and outside of a cluster alike. */
const inClusterRefusal =
  "is not allowed for kube-apiserver: it would ask itself; name the webhook's kubeconfig with type=KubeConfigFile";

function readConnection(
  { connectionInfo }: GivenWebhook,
  path: FieldPath,
  { errors, files }: Pick<Reading, "errors" | "files">,
): ClientConfig | undefined {
  const { type = "", kubeConfigFile } = connectionInfo ?? {};
  const file = path.child("kubeConfigFile");
  const types = ["InClusterConfig", "KubeConfigFile"];
  if (type === "") errors.push(required(path.child("type"), ""));
  else if (!types.includes(type))
    errors.push(notSupported(path.child("type"), { Type: type, KubeConfigFile: kubeConfigFile ?? null }, types));
  else if (type === "InClusterConfig")
    errors.push(
      typeof kubeConfigFile === "string"
        ? invalid(file, kubeConfigFile, "can only be set when type=KubeConfigFile")
        : invalid(path.child("type"), type, inClusterRefusal),
    );
  else if (!kubeConfigFile) errors.push(required(file, ""));
  else if (!kubeConfigFile.startsWith("/")) errors.push(invalid(file, kubeConfigFile, "must be an absolute path"));
  else {
    try {
      return files.readConnection(kubeConfigFile);
    } catch (err) {
      errors.push(invalid(file, kubeConfigFile, `error loading file: ${(err as Error).message}`));
    }
  }
  return undefined;
}

function chosen(value: string | undefined, known: readonly string[], path: FieldPath, errors: FieldError[]): boolean {
  if (value && known.includes(value)) return true;
  errors.push(value ? notSupported(path, value, known) : required(path, ""));
  return false;
}

/** 0: none was given. */
const durationOf = (text = "0s"): number => parseDurationMs(text) ?? 0;
