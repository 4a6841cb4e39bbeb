import { type Runtime, systemRuntime } from "@coxswain/runtime";
import { signal } from "@preact/signals";
import type { ClusterInfo, ResourceInfo, SeeAs } from "../contract/messages.js";
import type { Place } from "../contract/paths.js";
import type { WorkerClient } from "./worker-client.js";

/** What all views share. Set once, before the first is shown. */
export interface App {
  readonly runtime: Runtime;
  readonly worker: WorkerClient;
  readonly cluster: ClusterInfo;
  /** For styles that the editor's library makes. */
  readonly nonce: string;
}

let current: App | undefined;

export const setApp = (app: App): void => void (current = app);

export function app(): App {
  if (!current) throw new Error("the console has not started");
  return current;
}

export const pageRuntime = systemRuntime();

/** Ticks once a second, for ages; only while somebody looks. */
export const now = signal(pageRuntime.clock.now());

/** The same every ten seconds, for ages that are shown in minutes or more: a table has hundreds of them. */
export const slowNow = signal(now.value);
const slowMs = 10_000;

export function tick(): void {
  pageRuntime.clock.setTimer(1000, () => {
    if (document.visibilityState === "visible") {
      now.value = pageRuntime.clock.now();
      if (now.value - slowNow.value >= slowMs) slowNow.value = now.value;
    }
    tick();
  });
}

export const seeAs = signal<SeeAs | undefined>(undefined);

/** A line at the bottom of the page, for a few seconds. */
export const notice = signal<{ readonly text: string; readonly tone: "ok" | "bad" } | undefined>(undefined);

export function notify(text: string, tone: "ok" | "bad" = "ok"): void {
  const shown = { text, tone };
  notice.value = shown;
  pageRuntime.clock.setTimer(tone === "bad" ? 12_000 : 4000, () => {
    if (notice.value === shown) notice.value = undefined;
  });
}

export const infoOf = ({ group, resource }: Pick<Place, "group" | "resource">): ResourceInfo | undefined =>
  app().cluster.resources.find((info) => info.group === group && info.resource === resource);

export const can = (info: ResourceInfo | undefined, verb: string): boolean => info?.verbs.includes(verb) ?? false;
