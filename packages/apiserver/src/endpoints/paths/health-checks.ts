import type { HealthCheck, HealthChecks } from "./health.js";
import type { StartHooks } from "./start-hooks.js";

export interface HealthSources {
  /** Why the store does not work, or nothing; it is asked. */
  store(): string | undefined | Promise<string | undefined>;
  /** Why the store takes nothing more for now, or nothing: no reason for a restart. @default nothing */
  room?(): Promise<string | undefined>;
  /** Why the caches are not those of the store, or nothing. @default nothing */
  caches?(): string | undefined;
  /** Why the process does not work, or nothing. @default nothing */
  process?(): string | undefined;
  /** Whether the server is about to end. */
  isShuttingDown(): boolean;
  readonly hooks: StartHooks;
  /** Further conditions of being ready, which do not ask for a restart when they do not hold. */
  readonly more: readonly HealthCheck[];
  /** For so long a server that is still starting counts as alive: `now` is since its start, both in milliseconds. @default always in time */
  readonly livezGrace?: { readonly ms: number; now(): number };
}

/** `log`: lines are written synchronously, so a process that still answers has written them. */
const holds = (name: string): HealthCheck => ({ name, check: () => undefined });

/** The checks of an API server under the names that monitoring knows. */
export function serverHealthChecks({
  store,
  isShuttingDown,
  hooks,
  livezGrace,
  more,
  room = async () => undefined,
  caches = () => undefined,
  process = () => undefined,
}: HealthSources): HealthChecks {
  const etcd: HealthCheck = { name: "etcd", check: store };
  const started = hooks.names.map(
    (name): HealthCheck => ({
      name: name === "autoregister-completion" ? name : `poststarthook/${name}`,
      check: () => hooks.problem(name),
    }),
  );
  const inGrace = (): boolean => livezGrace !== undefined && livezGrace.now() < livezGrace.ms;
  const startedInTime = started.map(
    ({ name, check }): HealthCheck => ({ name, check: () => (inGrace() ? undefined : check()) }),
  );
  const always = [holds("ping"), holds("log")];
  const shutdown: HealthCheck = {
    name: "shutdown",
    check: () => (isShuttingDown() ? "process is shutting down" : undefined),
  };
  return {
    healthz: [...always, holds("loopback-serving-certificate"), etcd, ...more, ...started],
    livez: [
      { name: "ping", check: process },
      holds("log"),
      holds("loopback-serving-certificate"),
      etcd,
      ...startedInTime,
    ],
    readyz: [
      ...always,
      etcd,
      { name: "etcd-readiness", check: async () => (await store()) ?? (await room()) },
      ...more,
      { name: "informer-sync", check: caches },
      ...started,
      shutdown,
    ],
  };
}
