import type { metaV1, version } from "@coxswain/api/types";
import { isForbidden, isNotFound } from "@coxswain/apimachinery/status";
import type { CallOptions, RestClient } from "../rest/index.js";
import { discoveryAccept, isAggregated, surfaceOfAggregated } from "./aggregated.js";
import type { ApiSurface, DiscoveredResource } from "./api-surface.js";
import { groupOfLegacy, groupOfVersions, resourcesOfList } from "./legacy.js";

/** What the server serves. */
export interface DiscoveryClient {
  /** Everything; asked once and kept until `invalidate`. Concurrent calls share one request. */
  surface(): Promise<ApiSurface>;
  /** The next `surface` asks the server again. */
  invalidate(): void;
  version(options?: CallOptions): Promise<version.Info>;
}

/** Where a surface survives the process; see `createDiskDiscoveryCache` in `@coxswain/client/node`. */
export interface DiscoveryCache {
  /** Undefined where there is none, or it is too old. */
  read(): Promise<ApiSurface | undefined>;
  write(surface: ApiSurface): Promise<void>;
}

export function createDiscoveryClient(rest: RestClient, { cache }: { cache?: DiscoveryCache } = {}): DiscoveryClient {
  let known: Promise<ApiSurface> | undefined;
  let mayReadCache = cache !== undefined;
  const load = async (): Promise<ApiSurface> => {
    const kept = mayReadCache ? await cache?.read() : undefined;
    if (kept !== undefined) return kept;
    const surface = await fetchSurface(rest);
    // A partial answer is used but not kept: the next process should ask again.
    if (surface.failed.length === 0) await cache?.write(surface);
    return surface;
  };
  return {
    surface() {
      const loading = (known ??= load());
      loading.catch(() => {
        if (known === loading) known = undefined;
      });
      return loading;
    },
    invalidate() {
      known = undefined;
      mayReadCache = false;
    },
    version: async (options = {}) => (await rest.send(get("/version", options))) as version.Info,
  };
}

const get = (path: string, options: CallOptions, accept?: string) => ({
  method: "GET" as const,
  path,
  ...(accept !== undefined && { headers: { accept } }),
  ...(options.signal && { signal: options.signal }),
  ...(options.timeoutMs !== undefined && { timeoutMs: options.timeoutMs }),
});

async function fetchSurface(rest: RestClient): Promise<ApiSurface> {
  const root = async (path: string): Promise<unknown> => {
    try {
      return await rest.send(get(path, {}, discoveryAccept));
    } catch (error) {
      // A server may serve only one of the two, and a user may be allowed to see only one.
      if (isNotFound(error) || isForbidden(error)) return undefined;
      throw error;
    }
  };
  const answers = await Promise.all([root("/api"), root("/apis")]);
  const surfaces = await Promise.all(
    answers.map((answer): ApiSurface | Promise<ApiSurface> => {
      if (answer === undefined) return { groups: [], failed: [] };
      return isAggregated(answer) ? surfaceOfAggregated(answer) : fetchLegacy(rest, answer);
    }),
  );
  return { groups: surfaces.flatMap(({ groups }) => groups), failed: surfaces.flatMap(({ failed }) => failed) };
}

/** One request for each version of each group. */
async function fetchLegacy(rest: RestClient, answer: unknown): Promise<ApiSurface> {
  const isCore = (answer as { kind?: string }).kind === "APIVersions";
  const groups = isCore ? [groupOfVersions(answer as metaV1.APIVersions)] : (answer as metaV1.APIGroupList).groups;
  const resources = new Map<string, DiscoveredResource[]>();
  const failed: { group: string; version: string; message: string }[] = [];
  await Promise.all(
    groups.flatMap(({ name, versions }) =>
      versions.map(async ({ groupVersion, version }) => {
        const path = name === "" ? `/api/${groupVersion}` : `/apis/${groupVersion}`;
        try {
          resources.set(groupVersion, resourcesOfList((await rest.send(get(path, {}))) as metaV1.APIResourceList));
        } catch (error) {
          failed.push({ group: name, version, message: (error as Error).message });
        }
      }),
    ),
  );
  return { groups: groups.map((group) => groupOfLegacy(group, (groupVersion) => resources.get(groupVersion))), failed };
}
