import { runtimeFrom } from "@coxswain/runtime";
import type { Clock } from "@coxswain/runtime/clock";
import { createItemBackoff, createRateLimitingQueue, runWorkers, type WorkResult } from "@coxswain/client/queue";
import type { Logger } from "@coxswain/runtime/log";
import { documentHash } from "../documents/discovery/etag.js";
import { filterByPaths, type MergeableDocument } from "../documents/openapi-v2/merge.js";
import { openAPIV2Protobuf } from "../documents/openapi-v2/protobuf.js";
import { openAPIV3OfV2 } from "../documents/openapi-v2/to-v3.js";
import { openAPIV3Protobuf } from "../documents/openapi-v3/protobuf.js";
import type { RemoteOpenApi, RemoteV3Document } from "../endpoints/paths/remote-openapi.js";
import type { ServiceResolver } from "../webhook/service-resolver.js";
import { rootPath } from "./api-service.js";
import { type Backend, locate } from "./backend.js";
import { type FetchDeps, fetchDocument, type FetchedDocument } from "./fetch-document.js";
import { documentUser } from "./proxy-user.js";
import type { RegisteredServices } from "./registered-services.js";
import type { RemoteSet } from "./remote-set.js";
import { asObject, asText } from "./untrusted-json.js";

export interface RemoteOpenApiDeps extends Omit<FetchDeps, "signal"> {
  readonly remotes: RemoteSet;
  readonly resolver: ServiceResolver;
  readonly registered: RegisteredServices;
  /** When backends are asked again. */
  readonly clock: Clock;
  readonly log: Logger;
}

/** As upstream: asked again every minute; one that fails later and later, for an hour at most. */
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

interface V2Document {
  /** Only of the backend's own group-version. */
  readonly document: MergeableDocument & { readonly info?: unknown };
  /** Identifies the content: an ETag, or a hash for servers without. */
  readonly tag: string;
  readonly isEtag: boolean;
}

/** Keeps how backends describe themselves: the index of OpenAPI 3, whose documents they are asked for, and the whole of OpenAPI 2. */
export function describeRemotes(deps: RemoteOpenApiDeps): RemoteOpenApi & { stop(): Promise<void> } {
  const { registered, clock, log } = deps;
  const stopping = new AbortController();
  const fetching = { ...deps, signal: stopping.signal };
  const described = new Map<string, Described>();
  const runtime = runtimeFrom({ clock });
  const queue = createRateLimitingQueue<string>({ runtime, rateLimiter: createItemBackoff<string>(retry) });
  let generation = 1;

  async function sync(name: string): Promise<WorkResult> {
    const backend = registered.backend(name);
    if (!backend) {
      if (described.delete(name)) generation += 1;
      return undefined;
    }
    if (!backend.isAvailable) throw new Error("service unavailable"); // its change of mind is another change of the APIService
    const before = described.get(name);
    const v3 = await askIndex(backend);
    const v2 = await askV2(backend, before?.v2);
    if (stopping.signal.aborted || !registered.backend(name)) return undefined;
    if (v2 !== before?.v2 || !isSameIndex(v3, before?.v3)) {
      described.set(name, { v3, v2 });
      generation += 1;
    }
    return { requeueAfterMs: refreshMs };
  }

  async function askIndex(backend: Backend): Promise<ReadonlyMap<string, string> | undefined> {
    const answer = await get(backend, "/openapi/v3", []);
    if (answer.code === 404) return undefined;
    if (answer.code !== 200) throw new Error("Error, could not get list of group versions for APIService");
    const { paths } = asObject(JSON.parse(answer.body.toString()));
    return new Map(
      Object.entries(asObject(paths)).map(([path, item]) => [path, asText(asObject(item).serverRelativeURL)]),
    );
  }

  async function askV2(backend: Backend, before: V2Document | undefined): Promise<V2Document | undefined> {
    const answer = await get(backend, "/openapi/v2", [
      ["Accept", "application/json"],
      ...(before?.isEtag ? [["If-None-Match", before.tag] as const] : []),
    ]);
    if (answer.code === 304 && before) return before;
    if (answer.code === 404) return undefined;
    if (answer.code !== 200)
      throw new Error(`failed to retrieve openAPI spec, http error: ${answer.body.subarray(0, 1024).toString()}`);
    const { etag } = answer.headers;
    const tag = etag ?? documentHash(answer.body);
    return tag === before?.tag ? before : { document: readV2(answer, backend), tag, isEtag: etag !== undefined };
  }

  const get = async (
    backend: Backend,
    path: string,
    headers: readonly (readonly [string, string])[],
  ): Promise<FetchedDocument> =>
    fetchDocument(fetching, {
      location: await locate(deps.resolver, backend, { path }),
      user: documentUser,
      headers,
      timeoutMs,
      maxBytes,
    });

  function changed(name: string): void {
    const backend = registered.backend(name);
    if (!backend) return described.has(name) ? queue.add(name) : undefined;
    if (!backend.isAvailable || (described.has(name) && queue.retries(name) === 0)) return;
    queue.forget(name);
    queue.add(name);
  }

  for (const { name } of registered.backends()) changed(name);
  const unsubscribe = registered.onChange(changed);
  const running = runWorkers({
    queue,
    runtime,
    work: sync,
    workers: 2,
    signal: stopping.signal,
    onError: (error, name) => log.debug("an aggregated server does not describe itself", { name, error }),
  });
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
    async stop() {
      stopping.abort();
      unsubscribe();
      await running;
    },
  };
}

/** Throws for what could not be written again in each of our forms. */
function readV2({ body }: FetchedDocument, backend: Backend): V2Document["document"] {
  const { info, paths, definitions, parameters, securityDefinitions } = asObject(JSON.parse(body.toString()));
  const prefix = `${rootPath(backend)}/`;
  const document = filterByPaths(
    {
      info,
      securityDefinitions,
      paths: asObject(paths),
      definitions: asObject(definitions),
      parameters: asObject(parameters),
    },
    (path) => path.startsWith(prefix),
  );
  openAPIV2Protobuf({ swagger: "2.0", ...document } as never);
  openAPIV3Protobuf(openAPIV3OfV2(document));
  return document;
}

const isSameIndex = (a: ReadonlyMap<string, string> | undefined, b: ReadonlyMap<string, string> | undefined): boolean =>
  a?.size === b?.size && (!a || [...a].every(([name, url]) => b?.get(name) === url));

/** Higher groups and versions first, then by name. */
const byPriority = (a: Backend, b: Backend): number =>
  (a.group === b.group ? b.versionPriority - a.versionPriority : b.groupPriority - a.groupPriority) ||
  (a.name < b.name ? -1 : 1);
