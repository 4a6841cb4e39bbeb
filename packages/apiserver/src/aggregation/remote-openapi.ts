import type { WorkResult } from "@coxswain/client/queue";
import { createController } from "../controllers/controller.js";
import type { ControllerContext } from "../controllers/controller-context.js";
import { openAPIV3OfV2 } from "../documents/openapi-v2/to-v3.js";
import type { RemoteOpenApi, RemoteV3Document } from "../endpoints/paths/remote-openapi.js";
import type { ServiceResolver } from "../webhook/service-resolver.js";
import { rootPath } from "./api-service.js";
import { askV2, askV3Index, type V2Document } from "./ask-openapi.js";
import { type Backend, locate } from "./backend.js";
import { type FetchDeps, type FetchedDocument, type FetchHeaders, fetchDocument } from "./fetch-document.js";
import { documentUser } from "./proxy-user.js";
import type { RegisteredServices } from "./registered-services.js";
import type { RemoteSet } from "./remote-set.js";

export interface RemoteOpenApiDeps extends Omit<FetchDeps, "signal"> {
  readonly remotes: RemoteSet;
  readonly resolver: ServiceResolver;
  readonly registered: RegisteredServices;
}

/** As upstream (k8s.io/kube-aggregator/pkg/controllers/openapi/controller.go, failedUpdateMaxExpDelay): asked again every minute; one that fails later and later, for an hour at most. */
const refreshMs = 60_000;
const retry = { baseMs: refreshMs, maxMs: 3_600_000 };
const timeoutMs = 60_000;
/** kube-apiserver's own document of OpenAPI 2 has four megabytes. A longer one would hold up this thread while it is read. */
const maxBytes = 16 * 1024 * 1024;

/** What is known of one backend. */
interface Described {
  /** Of its index of OpenAPI 3: addresses by name. Undefined: it has none. */
  readonly v3: ReadonlyMap<string, string> | undefined;
  readonly v2: V2Document | undefined;
}

/** Follows how backends describe themselves: the index of OpenAPI 3, whose documents they are asked for, and the whole of OpenAPI 2. */
export function describeRemotes(
  context: ControllerContext,
  deps: RemoteOpenApiDeps,
): RemoteOpenApi & { stop(): Promise<void> } {
  const { registered } = deps;
  const stopping = new AbortController();
  const described = new Map<string, Described>();
  let generation = 1;
  const get = async (backend: Backend, path: string, headers: FetchHeaders): Promise<FetchedDocument> =>
    fetchDocument(
      { ...deps, signal: stopping.signal },
      { location: await locate(deps.resolver, backend, { path }), user: documentUser, headers, timeoutMs, maxBytes },
    );

  async function reconcile(name: string): Promise<WorkResult> {
    const backend = registered.backend(name);
    if (!backend) {
      if (described.delete(name)) generation += 1;
      return undefined;
    }
    if (!backend.isAvailable) throw new Error("service unavailable"); // its change of mind is another change of the APIService
    const before = described.get(name);
    const v3 = await askV3Index(get, backend);
    const v2 = await askV2(get, backend, before?.v2);
    if (stopping.signal.aborted || !registered.backend(name)) return undefined;
    if (v2 !== before?.v2 || !isSameIndex(v3, before?.v3)) {
      described.set(name, { v3, v2 });
      generation += 1;
    }
    return { requeueAfterMs: refreshMs };
  }

  const controller = createController(context, {
    name: "remote-openapi",
    failure: "an aggregated server does not describe itself",
    failureLevel: "debug",
    workers: 2,
    retry,
    reconcile,
  });
  const { queue } = controller;
  function changed(name: string): void {
    const backend = registered.backend(name);
    if (!backend) return described.has(name) ? queue.add(name) : undefined;
    if (!backend.isAvailable || (described.has(name) && queue.retries(name) === 0)) return;
    queue.forget(name);
    queue.add(name);
  }
  for (const { name } of registered.backends()) changed(name);
  const unsubscribe = registered.onChange(changed);
  controller.start();
  return {
    get generation() {
      return generation;
    },
    v3() {
      const all = new Map<string, RemoteV3Document>();
      for (const { backend, handle } of deps.remotes.all()) {
        const { v3, v2 } = described.get(backend.name) ?? {};
        if (v3) for (const [path, url] of v3) all.set(path, { as: "proxied", url, handle });
        else if (v2) all.set(rootPath(backend).slice(1), { as: "converted", document: openAPIV3OfV2(v2.document) });
      }
      return all;
    },
    v2: () =>
      [...registered.backends()].sort(byPriority).flatMap(({ name }) => described.get(name)?.v2?.document ?? []),
    stop() {
      stopping.abort();
      unsubscribe();
      return controller.stop();
    },
  };
}

const isSameIndex = (a: ReadonlyMap<string, string> | undefined, b: ReadonlyMap<string, string> | undefined): boolean =>
  a?.size === b?.size && (!a || [...a].every(([name, url]) => b?.get(name) === url));

/** Higher groups and versions first, then by name. */
const byPriority = (a: Backend, b: Backend): number =>
  (a.group === b.group ? b.versionPriority - a.versionPriority : b.groupPriority - a.groupPriority) ||
  (a.name < b.name ? -1 : 1);
