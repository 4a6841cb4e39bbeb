import type { PluginConfiguration } from "./configuration/plugin-configuration.js";

export interface PluginChoice {
  /** Beside the default ones. */
  readonly enabled?: readonly string[];
  /** A plugin that is in both lists is refused. */
  readonly disabled?: readonly string[];
  /** By the plugin's name. */
  readonly configuration?: ReadonlyMap<string, PluginConfiguration>;
}

/** The plugins that run, in the order they are given. Throws for names that are none, or that are in both lists. */
export function choosePlugins<T extends { readonly name: string }>(
  all: readonly T[],
  off: readonly string[],
  { enabled = [], disabled = [] }: PluginChoice,
): T[] {
  const known = new Set(all.map(({ name }) => name));
  for (const name of [...enabled, ...disabled])
    if (!known.has(name)) throw new Error(`admission plugin "${name}" is unknown; known are ${[...known].join(", ")}`);
  const both = enabled.find((name) => disabled.includes(name));
  if (both !== undefined)
    throw new Error(`${both} in enable-admission-plugins and disable-admission-plugins overlapped`);
  return all.filter(({ name }) => enabled.includes(name) || (!off.includes(name) && !disabled.includes(name)));
}
