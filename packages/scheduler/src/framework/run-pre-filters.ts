import type { Cycle } from "./cycle.js";
import { OrderedFilters } from "./filters.js";
import type { NodeFilter, Plugin } from "./plugin.js";
import type { Profile } from "./profile.js";
import { errorStatus, type Status, unresolvable } from "./status.js";

export interface PreFiltered {
  /** Undefined: nodes can be tried. */
  readonly status: Status | undefined;
  /** The only nodes that may do; undefined for all. */
  readonly nodeNames: ReadonlySet<string> | undefined;
  /** The plugins that named them. */
  readonly pluginsWithNodes: ReadonlySet<string>;
  readonly filters: OrderedFilters;
}

/** Asks every plugin once about the pod. */
export function runPreFilters(profile: Profile, cycle: Cycle): PreFiltered {
  const prepared = new Map<Plugin, NodeFilter>();
  const pluginsWithNodes = new Set<string>();
  let nodeNames: ReadonlySet<string> | undefined;
  let refusal: Status | undefined;
  const answer = (status: Status | undefined): PreFiltered => ({
    status,
    nodeNames,
    pluginsWithNodes,
    filters: new OrderedFilters(cycle, inOrder(profile, prepared)),
  });
  for (const plugin of preparing(profile)) {
    const result = plugin.preFilter?.(cycle);
    if (result === undefined || result.kind === "skip") continue;
    if (result.kind === "refused") {
      const { status } = result;
      if (status.code === "UnschedulableAndUnresolvable") return answer({ ...status, plugin: plugin.name });
      if (status.code !== "Unschedulable")
        return answer(
          errorStatus(
            plugin.name,
            new Error(`running PreFilter plugin "${plugin.name}": ${status.reasons.join(", ")}`),
          ),
        );
      refusal = { ...status, plugin: plugin.name };
      continue;
    }
    prepared.set(plugin, result.filter);
    if (result.nodeNames === undefined) continue;
    pluginsWithNodes.add(plugin.name);
    nodeNames = nodeNames === undefined ? result.nodeNames : intersection(nodeNames, result.nodeNames);
    if (nodeNames.size === 0) return answer(unresolvable("", noCommonNode(pluginsWithNodes)));
  }
  return answer(refusal);
}

/** Plugins without a place among the PreFilters may still have one among the filters. */
const preparing = (profile: Profile): ReadonlySet<Plugin> =>
  new Set([...profile.plugins.preFilter, ...profile.plugins.filter]);

const inOrder = (profile: Profile, prepared: ReadonlyMap<Plugin, NodeFilter>): NodeFilter[] => {
  const filters: NodeFilter[] = [];
  for (const plugin of profile.plugins.filter) {
    const filter = prepared.get(plugin);
    if (filter) filters.push(filter);
  }
  return filters;
};

const intersection = (a: ReadonlySet<string>, b: ReadonlySet<string>): ReadonlySet<string> =>
  new Set([...a].filter((name) => b.has(name)));

const noCommonNode = (plugins: ReadonlySet<string>): string =>
  plugins.size === 1
    ? `node(s) didn't satisfy plugin ${[...plugins][0]}`
    : `node(s) didn't satisfy plugin(s) ${goList(plugins)} simultaneously`;

/** As Go prints a sorted list of words. */
export const goList = (words: Iterable<string>): string => `[${[...words].sort().join(" ")}]`;
