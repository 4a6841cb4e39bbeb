import { runtimeFrom } from "@coxswain/runtime";
import type { Clock } from "@coxswain/runtime/clock";
import { equalJson } from "@coxswain/apimachinery/json";
import { createItemBackoff, createRateLimitingQueue, runWorkers, type WorkResult } from "@coxswain/client/queue";
import type { APIResourceDiscovery, DiscoveredGroupVersion } from "../documents/discovery/aggregated.js";
import type { ServiceReference, ServiceResolver } from "../webhook/service-resolver.js";
import { rootPath } from "./api-service.js";
import { type Backend, locate } from "./backend.js";
import { type FetchDeps, fetchDocument, type FetchedDocument } from "./fetch-document.js";
import { type DiscoveredVersions, parseAggregated, parseLegacy, versionKey } from "./parse-discovery.js";
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
  /** When backends are asked again. */
  readonly clock: Clock;
}

/** As upstream: so often a backend is asked again, and not less often when it fails. */
const refreshMs = 60_000;
const timeoutMs = 5000;
/** The document of kube-apiserver itself has a tenth of a megabyte. */
const maxBytes = 8 * 1024 * 1024;
const accept =
  "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList";

interface Found {
  readonly resources: readonly APIResourceDiscovery[];
  readonly freshness: "Current" | "Stale";
}

/** What one service answered, for all the APIServices that name it. */
interface Answered {
  readonly versions: DiscoveredVersions;
  readonly etag: string;
  /** Before the question was sent, by the monotonic clock. */
  readonly asOf: number;
}

/** Asks each backend which resources it has: when its APIService changes, and every minute. */
export function discoverRemotes(deps: RemoteDiscoveryDeps): RemoteDiscovery {
  const { registered, clock } = deps;
  const stopping = new AbortController();
  const fetching = { ...deps, signal: stopping.signal };
  const found = new Map<string, Found>();
  const answers = new Map<string, Answered>();
  const changedAt = new Map<string, number>();
  const runtime = runtimeFrom({ clock });
  const queue = createRateLimitingQueue<string>({
    runtime,
    rateLimiter: createItemBackoff<string>({ baseMs: 500, maxMs: refreshMs }),
  });
  let generation = 1;

  async function sync(name: string): Promise<WorkResult> {
    const backend = registered.backend(name);
    if (!backend) return forget(name);
    let problem: unknown;
    const resources = await ask(backend).catch((err: unknown) => void (problem = err));
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
    const used = new Set([...registered.backends()].map(({ service }) => serviceKey(service)));
    for (const key of answers.keys()) if (!used.has(key)) answers.delete(key);
  }

  /** The resources of the backend's own group-version. */
  async function ask(backend: Backend): Promise<readonly APIResourceDiscovery[]> {
    const key = serviceKey(backend.service);
    const of = versionKey(backend.group, backend.version);
    const known = answers.get(key);
    // Another APIService of the same service has asked since.
    if (known && known.asOf > (changedAt.get(backend.name) ?? 0)) return known.versions.get(of) ?? [];
    const asOf = clock.monotonic();
    const answer = await get(backend, "/apis", [
      ["Accept", accept],
      ...(known && known.etag !== "" ? [["If-None-Match", known.etag] as const] : []),
    ]);
    if (answer.code === 304 && known) answers.set(key, { ...known, asOf });
    else if (answer.code === 503) throw new Error(`service ${key} returned non-success response code: 503`);
    else if (answer.code === 200 && isAggregated(answer))
      answers.set(key, { versions: parseAggregated(jsonOf(answer)), etag: answer.headers.etag ?? "", asOf });
    else return askLegacy(backend);
    return answers.get(key)?.versions.get(of) ?? [];
  }

  async function askLegacy(backend: Backend): Promise<readonly APIResourceDiscovery[]> {
    const path = rootPath(backend);
    const answer = await get(backend, path, [["Accept", "application/json"]]);
    if (answer.code !== 200)
      throw new Error(`failed to download legacy discovery for ${path}: ${answer.body.subarray(0, 1024).toString()}`);
    return parseLegacy(jsonOf(answer));
  }

  const get = async (
    backend: Backend,
    path: string,
    headers: readonly (readonly [string, string])[],
  ): Promise<FetchedDocument> =>
    fetchDocument(fetching, {
      location: await locate(deps.resolver, backend, { path }),
      user: discoveryUser,
      headers,
      timeoutMs,
      maxBytes,
    });

  function changed(name: string): void {
    const backend = registered.backend(name);
    if (!backend && !found.has(name)) return;
    changedAt.set(name, clock.monotonic());
    if (backend && !found.has(name)) set(name, { resources: [], freshness: "Stale" });
    queue.add(name);
  }
  for (const { name } of registered.backends()) changed(name);
  const unsubscribe = registered.onChange(changed);
  const running = runWorkers({ queue, runtime, workers: 2, work: sync, signal: stopping.signal });
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
    async stop() {
      stopping.abort();
      unsubscribe();
      await running;
    },
  };
}

const serviceKey = ({ namespace, name, port }: ServiceReference): string => `${namespace}/${name}:${port}`;

const isAggregated = ({ headers }: FetchedDocument): boolean =>
  /;\s*g=apidiscovery\.k8s\.io/.test(headers["content-type"] ?? "") &&
  /;\s*as=APIGroupDiscoveryList/.test(headers["content-type"] ?? "");

const jsonOf = ({ body }: FetchedDocument): unknown => JSON.parse(body.toString());
