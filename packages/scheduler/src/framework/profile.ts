import type { EventRegistration, Plugin } from "./plugin.js";

/** The extension points that a configuration names. */
export const extensionPoints = [
  "preEnqueue",
  "queueSort",
  "preFilter",
  "filter",
  "postFilter",
  "preScore",
  "score",
  "reserve",
  "permit",
  "preBind",
  "bind",
  "postBind",
] as const;
export type ExtensionPoint = (typeof extensionPoints)[number];

/** The plugins of one scheduler name, in the order in which they run. */
export interface Profile {
  readonly schedulerName: string;
  readonly plugins: Readonly<Record<ExtensionPoint, readonly Plugin[]>>;
  /** Of score plugins, by name. */
  readonly weights: ReadonlyMap<string, number>;
  /** In percent of all nodes; 0: by the size of the cluster. Undefined: the scheduler's. */
  readonly percentageOfNodesToScore?: number;
}

/** Every plugin of the profile, once. */
export const pluginsOf = (profile: Profile): readonly Plugin[] => [...new Set(Object.values(profile.plugins).flat())];

export interface AwaitedEvent extends EventRegistration {
  readonly plugin: string;
}
