import type { Plugin, PluginFactory } from "../framework/plugin.js";
import { type ExtensionPoint, extensionPoints, type Profile } from "../framework/profile.js";
import type { ProfileConfig } from "./scheduler-config.js";

/** What upstream calls the points in messages. */
const pointNames: Readonly<Record<ExtensionPoint, string>> = {
  preEnqueue: "PreEnqueuePlugin",
  queueSort: "QueueSortPlugin",
  preFilter: "PreFilterPlugin",
  filter: "FilterPlugin",
  postFilter: "PostFilterPlugin",
  preScore: "PreScorePlugin",
  score: "ScorePlugin",
  reserve: "ReservePlugin",
  permit: "PermitPlugin",
  preBind: "PreBindPlugin",
  bind: "BindPlugin",
  postBind: "PostBindPlugin",
};

/** Whether a plugin has something to do at a point. */
function implementsPoint(plugin: Plugin, point: ExtensionPoint): boolean {
  switch (point) {
    case "queueSort":
      return plugin.less !== undefined;
    case "filter":
      return plugin.preFilter !== undefined;
    case "score":
      return plugin.preScore !== undefined;
    default:
      return plugin[point] !== undefined;
  }
}

/** @throws Error in upstream's words, for a configuration that cannot run */
export function buildProfile(config: ProfileConfig, registry: ReadonlyMap<string, PluginFactory>): Profile {
  const { schedulerName, percentageOfNodesToScore } = config;
  const made = new Map<string, Plugin>();
  for (const { enabled } of Object.values(config.plugins))
    for (const { name } of enabled) {
      const factory = registry.get(name);
      if (factory && !made.has(name)) made.set(name, make(name, factory, config));
    }
  const plugins = Object.fromEntries(
    extensionPoints.map((point) => [point, expand(config, point, made)]),
  ) as Profile["plugins"];
  if (plugins.queueSort.length !== 1)
    throw new Error(
      `only one queue sort plugin required for profile with scheduler name "${schedulerName}", but got ${plugins.queueSort.length}`,
    );
  if (plugins.bind.length === 0)
    throw new Error(`at least one bind plugin is needed for profile with scheduler name "${schedulerName}"`);
  return {
    schedulerName,
    plugins,
    weights: weightsOf(config, plugins.score),
    ...(percentageOfNodesToScore !== undefined && { percentageOfNodesToScore }),
  };
}

function make(name: string, factory: PluginFactory, { pluginConfig }: ProfileConfig): Plugin {
  try {
    return factory(pluginConfig.get(name) ?? {});
  } catch (error) {
    throw new Error(`initializing plugin "${name}": ${error instanceof Error ? error.message : error}`, {
      cause: error,
    });
  }
}

/** First those that the point configures anew, then the rest of MultiPoint, then what the point adds. */
function expand(config: ProfileConfig, point: ExtensionPoint, made: ReadonlyMap<string, Plugin>): readonly Plugin[] {
  const own = config.plugins[point];
  const seen = new Set<string>();
  const enabled = own.enabled.map(({ name }) => {
    const plugin = existing(name, point, made);
    if (!implementsPoint(plugin, point))
      throw new Error(`plugin "${name}" does not extend ${pointNames[point]} plugin`);
    if (seen.has(name)) throw new Error(`plugin "${name}" already registered as "${pointNames[point]}"`);
    seen.add(name);
    return plugin;
  });
  if (own.disabled.includes("*")) return enabled;
  const fromMultiPoint: Plugin[] = [];
  const overridden = new Set<Plugin>();
  for (const { name } of config.plugins.multiPoint.enabled) {
    const plugin = existing(name, point, made);
    if (!implementsPoint(plugin, point) || own.disabled.includes(name)) continue;
    if (enabled.includes(plugin)) overridden.add(plugin);
    else if (fromMultiPoint.includes(plugin))
      throw new Error(`plugin "${name}" already registered as "${pointNames[point]}"`);
    else fromMultiPoint.push(plugin);
  }
  return [
    ...enabled.filter((plugin) => overridden.has(plugin)),
    ...fromMultiPoint,
    ...enabled.filter((plugin) => !overridden.has(plugin)),
  ];
}

function existing(name: string, point: ExtensionPoint, made: ReadonlyMap<string, Plugin>): Plugin {
  const plugin = made.get(name);
  if (plugin === undefined) throw new Error(`${pointNames[point]} "${name}" does not exist`);
  return plugin;
}

/** A weight of 0 is as good as none: 1. The point's own weight goes before MultiPoint's. */
function weightsOf(config: ProfileConfig, score: readonly Plugin[]): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const { name, weight } of [...config.plugins.score.enabled, ...config.plugins.multiPoint.enabled])
    if (!weights.has(name) && score.some((plugin) => plugin.name === name)) weights.set(name, weight || 1);
  return weights;
}
