import { readFileSync, watch } from "node:fs";
import { hostname } from "node:os";
import { basename, dirname, resolve } from "node:path";
import {
  type AccessExpressions,
  type ApiServer,
  type AuthorizationMode,
  type AuthorizerConfig,
  configOfMode,
  createReloadMetrics,
  parseAbacPolicies,
  type ReloadMetrics,
  readAuthorizationConfiguration,
} from "@coxswain/apiserver";
import { readKubeconfig } from "@coxswain/component/kubeconfig";
import { systemClock } from "@coxswain/runtime/clock";
import type { Logger } from "@coxswain/runtime/log";

export interface AuthorizationOptions {
  readonly authorizationMode: readonly string[];
  readonly authorizationPolicyFile: string | undefined;
  readonly authorizationWebhookConfigFile: string | undefined;
  readonly authorizationWebhookVersion: string;
  readonly authorizationWebhookCacheAuthorizedTtl: number;
  readonly authorizationWebhookCacheUnauthorizedTtl: number;
  readonly authorizationConfig: string | undefined;
}

const readText = (path: string): string => readFileSync(path, "utf8");

export interface AuthorizationSetup {
  readonly authorizers: readonly AuthorizerConfig[];
  /** Replaces the chain whenever the configuration file has changed, if there is one. */
  follow(server: Pick<ApiServer, "replaceAuthorizers" | "metrics">, log: Logger): { stop(): void };
}

/** `given`: the names of the flags that were given. Throws when they do not fit together. */
export function authorizationFrom(
  options: AuthorizationOptions,
  given: ReadonlySet<string>,
  expressions?: AccessExpressions,
): AuthorizationSetup {
  const authorizers = authorizersFrom(options, given, expressions);
  const file = options.authorizationConfig;
  return {
    authorizers,
    follow: (server, log) =>
      file === undefined
        ? { stop: () => {} }
        : watchAuthorizationConfig(resolve(file), authorizers, log, (configs) => server.replaceAuthorizers(configs), {
            expressions,
            metrics: createReloadMetrics("authorization", {
              metrics: server.metrics,
              hostname: hostname(),
              clock: systemClock,
            }),
          }),
  };
}

/** The chain that the flags ask for. `given`: the names of those that were given. Throws when they do not fit together. */
export function authorizersFrom(
  options: AuthorizationOptions,
  given: ReadonlySet<string>,
  expressions?: AccessExpressions,
): AuthorizerConfig[] {
  if (options.authorizationConfig !== undefined) {
    const other = [...given].find(
      (name) =>
        name === "authorization-mode" ||
        name.startsWith("authorization-webhook-") ||
        name === "authorization-policy-file",
    );
    if (other !== undefined)
      throw new Error(
        "--authorization-config can not be specified when --authorization-mode or --authorization-webhook-* flags are defined",
      );
    return readConfigFile(options.authorizationConfig, expressions);
  }
  const {
    authorizationMode: modes,
    authorizationPolicyFile: policies,
    authorizationWebhookConfigFile: kubeconfig,
  } = options;
  if (modes.length === 0) throw new Error("at least one authorization-mode must be passed");
  if (modes.includes("ABAC") && policies === undefined)
    throw new Error("authorization-mode ABAC's authorization policy file not passed");
  if (modes.includes("Webhook") && kubeconfig === undefined)
    throw new Error("authorization-mode Webhook's authorization config file not passed");
  if (policies !== undefined && !modes.includes("ABAC"))
    throw new Error("cannot specify --authorization-policy-file without mode ABAC");
  if (kubeconfig !== undefined && !modes.includes("Webhook"))
    throw new Error("cannot specify --authorization-webhook-config-file without mode Webhook");
  if (new Set(modes).size < modes.length)
    throw new Error(
      `authorization-mode [${modes.map((mode) => JSON.stringify(mode)).join(" ")}] has mode specified more than once`,
    );
  return modes.map((mode) => configOf(mode, options));
}

function configOf(mode: string, options: AuthorizationOptions): AuthorizerConfig {
  const { authorizationPolicyFile: policies = "", authorizationWebhookConfigFile: kubeconfig = "" } = options;
  if (mode === "ABAC") return { type: "ABAC", name: "abac", policies: parseAbacPolicies(readText(policies), policies) };
  if (mode !== "Webhook") return configOfMode(mode as AuthorizationMode);
  return {
    type: "Webhook",
    name: "default",
    webhook: {
      connection: connectionOf(kubeconfig),
      version: options.authorizationWebhookVersion as "v1" | "v1beta1",
      timeoutMs: 30_000,
      authorizedMs: options.authorizationWebhookCacheAuthorizedTtl,
      unauthorizedMs: options.authorizationWebhookCacheUnauthorizedTtl,
      failurePolicy: "NoOpinion",
    },
  };
}

const connectionOf = (file: string) => readKubeconfig(readText(file), { file, readFile: readText });

function readConfigFile(path: string, expressions: AccessExpressions | undefined): AuthorizerConfig[] {
  try {
    return readAuthorizationConfiguration(readText(path), { readConnection: connectionOf, expressions });
  } catch (err) {
    throw new Error(`${path}: ${(err as Error).message}`, { cause: err });
  }
}

/** Hands on the chain whenever its file has changed to another that can be used. Which authorizers there are beside webhooks must stay. */
export function watchAuthorizationConfig(
  path: string,
  first: readonly AuthorizerConfig[],
  log: Logger,
  replace: (configs: readonly AuthorizerConfig[]) => void,
  {
    expressions,
    metrics,
  }: { readonly expressions?: AccessExpressions | undefined; readonly metrics?: ReloadMetrics } = {},
): { stop(): void } {
  const builtIn = (configs: readonly AuthorizerConfig[]): string =>
    configs
      .map(({ type }) => type as string)
      .filter((type) => type !== "Webhook")
      .sort()
      .join();
  let last = readText(path);
  metrics?.read(last);
  const look = (): void => {
    try {
      const text = readText(path);
      if (text === last) return;
      const configs = readConfigFile(path, expressions);
      if (builtIn(configs) !== builtIn(first))
        throw new Error(`${path}: authorizers other than webhooks cannot be added or taken away while the server runs`);
      last = text;
      replace(configs);
      metrics?.reloaded(text);
      log.info("authorization configuration read again", { path });
    } catch (error) {
      metrics?.failed();
      log.error("the authorization configuration stays as it was", { path, error });
    }
  };
  // The folder, since editors and mounted ConfigMaps put a new file in the old one's place.
  const name = basename(path);
  const watcher = watch(dirname(path), (_event, changed) => {
    if (changed === null || changed === name || changed.startsWith("..")) look();
  });
  return { stop: () => watcher.close() };
}
