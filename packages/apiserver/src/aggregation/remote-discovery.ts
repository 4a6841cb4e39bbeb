import { equalJson } from "@coxswain/apimachinery/json";
import type { WorkResult } from "@coxswain/client/queue";
import { createController } from "../controllers/controller.js";
import type { ControllerContext } from "../controllers/controller-context.js";
import type { APIResourceDiscovery, DiscoveredGroupVersion } from "../documents/discovery/aggregated.js";
import type { ServiceResolver } from "../webhook/service-resolver.js";
import { DiscoveryAnswers } from "./ask-discovery.js";
import { locate } from "./backend.js";
import { type FetchDeps, fetchDocument } from "./fetch-document.js";
import { discoveryUser } from "./proxy-user.js";
import type { RegisteredServices } from "./registered-services.js";

/** What backends serve, as far as they have answered. */
export interface RemoteDiscovery {
  /** Grows with every change. */
  readonly generation: number;
  /** Every registered group-version of a backend; one that could not be asked lately is stale. */
  versions(): readonly DiscoveredGroupVersion[];
  stop(): Promise<void>;
}

export interface RemoteDiscoveryDeps extends Omit<FetchDeps, "signal"> {
  readonly resolver: ServiceResolver;
  readonly registered: RegisteredServices;
}

/** As upstream (k8s.io/kube-aggregator/pkg/apiserver/handler_discovery.go, discoveryRefreshInterval): so often a backend is asked again, and not less often when it fails. */
const refreshMs = 60_000;
const timeoutMs = 5000;
/** The document of kube-apiserver itself has a tenth of a megabyte. */
const maxBytes = 8 * 1024 * 1024;

interface Found {
  readonly resources: readonly APIResourceDiscovery[];
  readonly freshness: "Current" | "Stale";
}

/** Asks each backend which resources it has: when its APIService changes, and every minute. */
export function discoverRemotes(context: ControllerContext, deps: RemoteDiscoveryDeps): RemoteDiscovery {
  const { registered } = deps;
  const { clock } = context.runtime;
  const stopping = new AbortController();
  const found = new Map<string, Found>();
  const changedAt = new Map<string, number>();
  const answers = new DiscoveryAnswers(clock, async (backend, path, headers) =>
    fetchDocument(
      { ...deps, signal: stopping.signal },
      { location: await locate(deps.resolver, backend, { path }), user: discoveryUser, headers, timeoutMs, maxBytes },
    ),
  );
  let generation = 1;

  async function reconcile(name: string): Promise<WorkResult> {
    const backend = registered.backend(name);
    if (!backend) return forget(name);
    let problem: unknown;
    const asking = answers.ask(backend, changedAt.get(name) ?? 0);
    const resources = await asking.catch((err: unknown) => void (problem = err));
    if (stopping.signal.aborted || registered.backend(name) === undefined) return undefined;
    set(name, { resources: resources ?? [], freshness: problem === undefined ? "Current" : "Stale" });
    if (problem !== undefined) throw problem;
    changedAt.set(name, clock.monotonic());
    return { requeueAfterMs: refreshMs };
  }

  function set(name: string, next: Found): void {
    if (equalJson(found.get(name), next)) return;
    found.set(name, next);
    generation += 1;
  }

  function forget(name: string): void {
    changedAt.delete(name);
    if (found.delete(name)) generation += 1;
    answers.keepOnly(registered.backends());
  }

  const controller = createController(context, {
    name: "remote-discovery",
    failure: "the resources of an aggregated server are not known",
    failureLevel: "debug",
    workers: 2,
    retry: { baseMs: 500, maxMs: refreshMs },
    reconcile,
  });
  function changed(name: string): void {
    const backend = registered.backend(name);
    if (!backend && !found.has(name)) return;
    changedAt.set(name, clock.monotonic());
    if (backend && !found.has(name)) set(name, { resources: [], freshness: "Stale" });
    controller.queue.add(name);
  }
  for (const { name } of registered.backends()) changed(name);
  const unsubscribe = registered.onChange(changed);
  controller.start();
  return {
    get generation() {
      return generation + registered.generation;
    },
    versions: () =>
      [...registered.backends()].map(({ name, group, version, groupPriority, versionPriority }) => ({
        group,
        version,
        groupPriority,
        versionPriority,
        ...(found.get(name) ?? { resources: [], freshness: "Stale" as const }),
      })),
    stop() {
      stopping.abort();
      unsubscribe();
      return controller.stop();
    },
  };
}
