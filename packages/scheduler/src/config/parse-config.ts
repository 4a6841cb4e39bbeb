import { createTypeRegistry } from "@coxswain/apimachinery/schema";
import { parseDurationMs } from "@coxswain/apimachinery/time";
import { decodeYaml, parseYaml } from "@coxswain/apimachinery/yaml";
import type { ExtensionPoint } from "../framework/profile.js";
import type { ConfigDocument, PluginSetDocument, ProfileDocument } from "./config-document.js";
import { configPackage, configTypes } from "./config-types.js";
import { defaultSchedulerConfig } from "./default-config.js";
import { mergePlugins } from "./default-plugins.js";
import { defaultPluginArgs, takesArgs } from "./plugin-args.js";
import type { PluginSet, PluginSets, ProfileConfig, SchedulerConfig } from "./scheduler-config.js";
import { validateConfig } from "./validate-config.js";

interface Gates {
  enabled(gate: string): boolean;
}

const types = createTypeRegistry([configTypes]);
const groupVersion = "kubescheduler.config.k8s.io/v1";

/**
 * A KubeSchedulerConfiguration, in YAML or JSON, with its defaults.
 * @throws Error in upstream's words for what cannot be read or is not valid
 */
export function parseSchedulerConfig(text: string, gates: Gates): SchedulerConfig {
  const { apiVersion, kind } = (parseYaml(text).value ?? {}) as { apiVersion?: string; kind?: string };
  if (!kind) throw new Error(`Object 'Kind' is missing in '${text}'`);
  if (!apiVersion) throw new Error(`Object 'apiVersion' is missing in '${text}'`);
  if (apiVersion !== groupVersion || kind !== "KubeSchedulerConfiguration")
    throw new Error(
      `no kind "${kind}" is registered for version "${apiVersion}" in scheme "k8s.io/kubernetes/pkg/scheduler/apis/config/scheme/scheme.go:30"`,
    );
  const document = decodeStrictly<ConfigDocument>(text, "KubeSchedulerConfiguration");
  const config = completeConfig(document, gates);
  const errors = validateConfig(config, document, gates);
  if (errors.length > 0) throw new Error(errors.length === 1 ? errors[0] : `[${errors.join(", ")}]`);
  return config;
}

function decodeStrictly<T>(text: string, type: string): T {
  const { object, warnings } = decodeYaml(text, types.get(`${configPackage}.${type}`), { strict: true });
  if (warnings.length > 0) throw new Error(`strict decoding error: ${warnings.join(", ")}`);
  return object as T;
}

function completeConfig(document: ConfigDocument, gates: Gates): SchedulerConfig {
  const defaults = defaultSchedulerConfig(gates);
  const { leaderElection: lease = {}, clientConnection: connection = {}, profiles = [] } = document;
  const ms = (text: string | undefined, otherwise: number): number =>
    text === undefined || text === "0s" ? otherwise : (parseDurationMs(text) ?? otherwise);
  const enableProfiling = document.enableProfiling ?? true;
  return {
    ...defaults,
    parallelism: document.parallelism ?? defaults.parallelism,
    percentageOfNodesToScore: document.percentageOfNodesToScore ?? 0,
    podInitialBackoffSeconds: document.podInitialBackoffSeconds ?? defaults.podInitialBackoffSeconds,
    podMaxBackoffSeconds: document.podMaxBackoffSeconds ?? defaults.podMaxBackoffSeconds,
    enableProfiling,
    enableContentionProfiling: document.enableContentionProfiling ?? enableProfiling,
    delayCacheUntilActive: document.delayCacheUntilActive ?? false,
    leaderElection: {
      leaderElect: lease.leaderElect ?? true,
      leaseDurationMs: ms(lease.leaseDuration, defaults.leaderElection.leaseDurationMs),
      renewDeadlineMs: ms(lease.renewDeadline, defaults.leaderElection.renewDeadlineMs),
      retryPeriodMs: ms(lease.retryPeriod, defaults.leaderElection.retryPeriodMs),
      resourceLock: lease.resourceLock || defaults.leaderElection.resourceLock,
      resourceName: lease.resourceName || defaults.leaderElection.resourceName,
      resourceNamespace: lease.resourceNamespace || defaults.leaderElection.resourceNamespace,
    },
    clientConnection: {
      kubeconfig: connection.kubeconfig ?? "",
      acceptContentTypes: connection.acceptContentTypes ?? "",
      contentType: connection.contentType || defaults.clientConnection.contentType,
      qps: connection.qps || defaults.clientConnection.qps,
      burst: connection.burst || defaults.clientConnection.burst,
    },
    profiles: (profiles.length === 0 ? [{}] : profiles).map((profile, at, all) =>
      completeProfile(all.length === 1 ? { schedulerName: "default-scheduler", ...profile } : profile, at, gates),
    ),
    extenders: (document.extenders ?? []).map(({ httpTimeout, ...extender }) => ({
      ...extender,
      httpTimeoutMs: ms(httpTimeout, 5000),
    })),
  };
}

function completeProfile(profile: ProfileDocument, at: number, gates: Gates): ProfileConfig {
  const custom = Object.fromEntries(
    Object.entries(profile.plugins ?? {}).map(([point, set]) => [point, pluginSet(set)]),
  ) as Partial<Record<ExtensionPoint | "multiPoint", PluginSet>>;
  const plugins: PluginSets = mergePlugins(custom, gates);
  const given = new Map<string, Readonly<Record<string, unknown>>>();
  for (const [index, { name, args }] of (profile.pluginConfig ?? []).entries())
    if (!given.has(name)) given.set(name, readArgs(name, args ?? {}, `.profiles[${at}].pluginConfig[${index}]`));
  const { percentageOfNodesToScore } = profile;
  return {
    schedulerName: profile.schedulerName ?? "",
    plugins,
    pluginConfig: defaultPluginArgs(plugins, gates, given),
    ...(percentageOfNodesToScore !== undefined && { percentageOfNodesToScore }),
  };
}

const pluginSet = ({ enabled = [], disabled = [] }: PluginSetDocument): PluginSet => ({
  enabled: enabled.map(({ name, weight }) => ({ name, weight: weight ?? 0 })),
  disabled: disabled.map(({ name }) => name),
});

/** Arguments of plugins that are not ours stay as they are. */
function readArgs(
  plugin: string,
  args: Readonly<Record<string, unknown>>,
  where: string,
): Readonly<Record<string, unknown>> {
  if (!takesArgs(plugin)) return args;
  const kind = args["kind"] ?? `${plugin}Args`;
  if (kind !== `${plugin}Args`)
    throw new Error(
      `decoding ${where}: args for plugin ${plugin} were not of type ${plugin}Args.kubescheduler.config.k8s.io, got ${String(kind)}.kubescheduler.config.k8s.io`,
    );
  try {
    const {
      kind: _,
      apiVersion: __,
      ...rest
    } = decodeStrictly<Record<string, unknown>>(JSON.stringify(args), `${plugin}Args`);
    return rest;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    // Upstream reports it on each level.
    const strict = message.startsWith("strict decoding error: ") ? "strict decoding error: " : "";
    throw new Error(`${strict}decoding ${where}: ${strict}decoding args for plugin ${plugin}: ${message}`, {
      cause: error,
    });
  }
}
