import { getOwn } from "@coxswain/apimachinery/own";
import { stringifyYaml } from "@coxswain/apimachinery/yaml";
import type { Kubeconfig, KubeconfigCluster, KubeconfigContext, KubeconfigUser } from "./kubeconfig.js";

// Edits of one file's content. Whatever they do not name stays as it is, members unknown here included.

type Section = "clusters" | "users" | "contexts";
type Entry = { readonly name: string };

/** Members that are given replace those of the entry; undefined removes one. */
export const setCluster = (config: Kubeconfig, name: string, cluster: Changes<KubeconfigCluster>): Kubeconfig =>
  setEntry(config, "clusters", "cluster", name, cluster);

export const setUser = (config: Kubeconfig, name: string, user: Changes<KubeconfigUser>): Kubeconfig =>
  setEntry(config, "users", "user", name, user);

export const setContext = (config: Kubeconfig, name: string, context: Changes<KubeconfigContext>): Kubeconfig =>
  setEntry(config, "contexts", "context", name, context);

export const setCurrentContext = (config: Kubeconfig, name: string): Kubeconfig => ({
  ...config,
  "current-context": name,
});

export const removeEntry = (config: Kubeconfig, section: Section, name: string): Kubeconfig => ({
  ...config,
  [section]: ((config[section] ?? []) as readonly Entry[]).filter((entry) => entry.name !== name),
});

/** The current context follows its name. */
export function renameContext(config: Kubeconfig, from: string, to: string): Kubeconfig {
  const contexts = (config.contexts ?? []).map((entry) => (entry.name === from ? { ...entry, name: to } : entry));
  return { ...config, contexts, ...(config["current-context"] === from && { "current-context": to }) };
}

/** YAML as kubectl writes it. */
export const formatKubeconfig = (config: Kubeconfig): string =>
  stringifyYaml({ apiVersion: "v1", kind: "Config", ...config });

export type Changes<T> = { readonly [K in keyof T]?: T[K] | undefined };

function setEntry(config: Kubeconfig, section: Section, member: string, name: string, changes: object): Kubeconfig {
  const entries = (config[section] ?? []) as readonly (Entry & Readonly<Record<string, unknown>>)[];
  const old = entries.find((entry) => entry.name === name) ?? { name };
  const merged = Object.entries({
    ...(getOwn(old as Readonly<Record<string, unknown>>, member) as object),
    ...changes,
  });
  const content = Object.fromEntries(merged.filter(([, value]) => value !== undefined));
  const changed = { ...old, [member]: content };
  const list = entries.includes(old as never)
    ? entries.map((entry) => (entry === old ? changed : entry))
    : [...entries, changed];
  return { ...config, [section]: list };
}
