import type { CacheFeed } from "../cache/cache-feed.js";
import { createLister } from "../cache/lister.js";
import { objectKey } from "../cache/object-key.js";
import type { EditableCatalogue } from "../catalogue/catalogue.js";
import { storedKind } from "../catalogue/stored-kind.js";
import { followEntries } from "../controllers/follow-entries.js";
import type { RankedGroupVersion } from "../documents/discovery/group-versions.js";
import type { Handler } from "../request/filter.js";
import type { CertificateMetrics } from "../webhook/certificate-metrics.js";
import { type ApiService, apiServiceName, groupVersionOf, hasPassed } from "./api-service.js";
import { type Backend, backendOf, type ProxyCredentials } from "./backend.js";
import { type OwnApi, ownBackend } from "./own-api.js";
import type { RemoteSet } from "./remote-set.js";

/** The APIServices that are stored now, and the backends of those that other servers serve. */
export interface RegisteredServices {
  /** Grows whenever a name or a priority changes. */
  readonly generation: number;
  /** All of them, in the order of their names. */
  ranked(): readonly RankedGroupVersion[];
  /** Who answers for it now. */
  backend(name: string): Backend | undefined;
  /** The one that the stored APIService names, whether it answers or not. */
  named(name: string): Backend | undefined;
  /** Whether this process answers where nobody else does. */
  hasOwn(name: string): boolean;
  /** From now on this process answers where nobody else does. @returns how to end it */
  addOwn(own: OwnApi): () => void;
  backends(): Iterable<Backend>;
  /** From now on backends are shown these. */
  setCredentials(credentials: ProxyCredentials): void;
  /** Called with the name of each APIService that was written or deleted. @returns how to end it */
  onChange(listener: (name: string) => void): () => void;
  stop(): void;
}

export interface RegisteredDeps {
  readonly feed: CacheFeed;
  readonly catalogue: EditableCatalogue;
  readonly remotes: RemoteSet;
  /** Where a request for a backend goes. */
  handle(backend: Backend): Handler;
  readonly credentials: ProxyCredentials | undefined;
  readonly certificates?: CertificateMetrics;
}

/** Follows APIServices. What is asked of it includes every write that was answered. */
export function followServices({
  feed,
  catalogue,
  remotes,
  handle,
  certificates,
  ...given
}: RegisteredDeps): RegisteredServices {
  const kind = storedKind("apiregistration.k8s.io", "apiservices");
  const services = createLister<ApiService>(feed.cacheOf(kind), "last known");
  const ranks = new Map<string, RankedGroupVersion>();
  const listeners = new Set<(name: string) => void>();
  const owned = new Map<string, OwnApi>();
  let { credentials } = given;
  let generation = 1;
  let sorted: readonly RankedGroupVersion[] | undefined;

  const storedOf = (name: string): ApiService | undefined => services.get(objectKey(kind, "", name));

  function changed(name: string): void {
    const service = storedOf(name);
    const own = owned.get(name);
    const before = ranks.get(name);
    const rank = service ? rankOf(service) : own;
    const of = rank ?? before;
    if (!of) return;
    if (rank) ranks.set(name, rank);
    else ranks.delete(name);
    if (!isSameRank(before, rank)) {
      generation += 1;
      sorted = undefined;
    }
    const isOwn = own && !(service && hasPassed(service));
    const backend = isOwn ? ownBackend(own, credentials) : service && backendOf(service, credentials, certificates);
    const cameOrWent = remotes.set(of, backend, handle);
    if (cameOrWent) catalogue.change(() => {}); // its paths lead elsewhere now
  }

  function notify(name: string): void {
    changed(name);
    for (const listener of Array.from(listeners)) listener(name);
  }
  const follower = followEntries(feed, { kind }, ({ name }) => notify(name));

  return {
    get generation() {
      follower.catchUp();
      return generation;
    },
    ranked: () => (sorted ??= [...ranks].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, rank]) => rank)),
    backend(name) {
      const rank = ranks.get(name);
      return rank && remotes.get(rank)?.backend;
    },
    named(name) {
      const service = storedOf(name);
      return service && backendOf(service, credentials, certificates);
    },
    hasOwn: (name) => owned.has(name),
    addOwn(own) {
      const name = apiServiceName(own);
      owned.set(name, own);
      notify(name);
      return () => void (owned.delete(name) && notify(name));
    },
    *backends() {
      for (const { backend } of remotes.all()) yield backend;
    },
    setCredentials(next) {
      credentials = next;
      for (const name of ranks.keys()) changed(name);
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    stop: () => follower.stop(),
  };
}

const rankOf = (service: ApiService): RankedGroupVersion => ({
  ...groupVersionOf(service),
  groupPriority: service.spec?.groupPriorityMinimum ?? 0,
  versionPriority: service.spec?.versionPriority ?? 0,
});

const isSameRank = (a: RankedGroupVersion | undefined, b: RankedGroupVersion | undefined): boolean =>
  a?.groupPriority === b?.groupPriority && a?.versionPriority === b?.versionPriority;
