import type { HttpListener } from "../engine/engine.js";
import type { RoutedRule } from "../engine/routed-rule.js";
import { namesOfHost } from "../routing/hostname.js";
import { buildRouteTable, type RouteEntry, type RouteTable } from "../routing/route-table.js";

/** Tables of entries that stay the same are not built again. */
const tables = new WeakMap<readonly RouteEntry<RoutedRule>[], RouteTable<RoutedRule>>();

export function tableOf(entries: readonly RouteEntry<RoutedRule>[]): RouteTable<RoutedRule> {
  const there = tables.get(entries);
  if (there) return there;
  const table = buildRouteTable(entries);
  tables.set(entries, table);
  return table;
}

/** Listeners of one port by hostname. */
export interface ByHostname<Listener> {
  /** The one with the most specific hostname for the host; others do not see the request or connection. */
  find(host: string): Listener | undefined;
}

export function byHostname<Listener extends { readonly hostname: string }>(
  listeners: readonly Listener[],
): ByHostname<Listener> {
  const all = new Map<string, Listener>();
  for (const listener of listeners) if (!all.has(listener.hostname)) all.set(listener.hostname, listener);
  const [only] = listeners;
  if (listeners.length === 1 && only?.hostname === "") return { find: () => only };
  return {
    find(host) {
      for (const name of namesOfHost(host)) {
        const listener = all.get(name);
        if (listener) return listener;
      }
      return undefined;
    },
  };
}

export interface CompiledListener {
  readonly name: string;
  readonly hostname: string;
  readonly table: RouteTable<RoutedRule>;
}

export const compileListener = ({ name, hostname, entries }: HttpListener): CompiledListener => ({
  name,
  hostname,
  table: tableOf(entries),
});
