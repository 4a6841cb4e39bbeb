import type { GroupVersionResource, KubernetesObject } from "@coxswain/apimachinery/meta";
import { type Runtime, systemRuntime } from "@coxswain/runtime";
import {
  createDiscoveryClient,
  createDynamicMapper,
  type DiscoveryCache,
  type DiscoveryClient,
  type DynamicMapper,
} from "../discovery/index.js";
import {
  createMetadataClient,
  createScaleClient,
  type MetadataClient,
  ResourceClient,
  type ResourceRef,
  type ScaleClient,
} from "../resource/index.js";
import {
  addHeaders,
  createRestClient,
  createWarningLog,
  limitRate,
  observeRequests,
  type RequestRecord,
  type RestClient,
  reportWarnings,
  retryRequests,
  type WarningHandler,
} from "../rest/index.js";
import { type Interceptor, intercept } from "../transport/interceptor.js";
import type { Transport } from "../transport/transport.js";
import type { TypedGroups } from "./group-types.js";
import { createTypedGroups } from "./typed-groups.js";

export interface ClientOptions {
  /** Over sockets (`@coxswain/client/node`), `fetch`, or a server in this process. */
  readonly transport: Transport;
  /** @default "coxswain-client/0.1.0" */
  readonly userAgent?: string;
  /** Requests per second on the client's side; servers have limits of their own. @default no limit */
  readonly qps?: number;
  /** @default twice `qps` */
  readonly burst?: number;
  /** Retries of one request, beside the first try. @default 10 */
  readonly maxRetries?: number;
  /** Of each try; watches and logs aside. @default none */
  readonly timeoutMs?: number;
  /** @default each distinct text once, by console.warn */
  readonly onWarning?: WarningHandler;
  /** Called after each try of each request, for metrics. */
  readonly onRequest?: (record: RequestRecord) => void;
  /** The W3C trace context that requests belong to; asked for each one. @default none */
  readonly traceparent?: () => string | undefined;
  /** One's own, outermost first; they see a request before it is retried or limited. */
  readonly interceptors?: readonly Interceptor[];
  /** Keeps what discovery answered beyond this process. @default in memory only */
  readonly discoveryCache?: DiscoveryCache;
  /** @default systemRuntime() */
  readonly runtime?: Runtime;
}

/** All clients of one cluster: `client.core.v1.pods("default").get("web")`. */
export interface Client extends TypedGroups {
  /** Any resource, built in or not. */
  dynamic<T extends object = KubernetesObject>(resource: ResourceRef, namespace?: string): ResourceClient<T>;
  /** The client of an object's kind and namespace, found by discovery. */
  resourceOf<T extends KubernetesObject>(object: T): Promise<ResourceClient<T>>;
  metadata(resource: GroupVersionResource, namespace?: string): MetadataClient;
  scale(resource: GroupVersionResource, namespace?: string): ScaleClient;
  /** What the server serves. */
  readonly server: DiscoveryClient;
  /** From kinds to resources, as this server has them. */
  readonly mapper: DynamicMapper;
  /** Requests as data, for what no method covers. */
  readonly rest: RestClient;
  readonly transport: Transport;
  /** Waits for requests under way and ends connections. */
  close(): Promise<void>;
}

export function createClient(options: ClientOptions): Client {
  const transport = intercept(options.transport, interceptorsOf(options));
  const rest = createRestClient({ transport, timeoutMs: options.timeoutMs });
  const server = createDiscoveryClient(rest, options.discoveryCache && { cache: options.discoveryCache });
  return assemble(rest, { server, mapper: createDynamicMapper(server), transport });
}

/**
 * The same client with its requests passing through `wrap`: to observe writes, or to refuse them. What discovery found is
 * shared; requests that are sent by `transport` itself do not pass.
 */
export const clientThrough = (client: Client, wrap: (rest: RestClient) => RestClient): Client =>
  assemble(wrap(client.rest), client);

function assemble(rest: RestClient, shared: Pick<Client, "server" | "mapper" | "transport">): Client {
  const { server, mapper, transport } = shared;
  const client: Omit<Client, keyof TypedGroups> = {
    dynamic: <T extends object>(resource: ResourceRef, namespace?: string) =>
      new ResourceClient<T>(rest, resource, namespace),
    async resourceOf<T extends KubernetesObject>(object: T) {
      const mapping = await mapper.mappingOf(object);
      const ref = { ...mapping.resource, kind: mapping.gvk.kind };
      return new ResourceClient<T>(
        rest,
        ref,
        mapping.namespaced ? (object.metadata?.namespace ?? "default") : undefined,
      );
    },
    metadata: (resource, namespace) => createMetadataClient(rest, resource, namespace),
    scale: (resource, namespace) => createScaleClient(rest, resource, namespace),
    server,
    mapper,
    rest,
    transport,
    close: () => transport.close(),
  };
  return Object.assign(createTypedGroups(rest), client);
}

/** A request meets these from top to bottom. Each retry is limited and observed by itself. */
function interceptorsOf(options: ClientOptions): Interceptor[] {
  const { qps, burst, maxRetries, onWarning, onRequest, traceparent } = options;
  const { clock } = options.runtime ?? systemRuntime();
  const userAgent = options.userAgent ?? "coxswain-client/0.1.0";
  return [
    ...(options.interceptors ?? []),
    reportWarnings(onWarning ?? createWarningLog((line) => console.warn(line))),
    retryRequests({ clock, ...(maxRetries !== undefined && { maxRetries }) }),
    ...(qps === undefined ? [] : [limitRate({ qps, clock, ...(burst !== undefined && { burst }) })]),
    ...(onRequest === undefined ? [] : [observeRequests(onRequest, { clock })]),
    addHeaders(() => {
      const trace = traceparent?.();
      return trace === undefined ? { "user-agent": userAgent } : { "user-agent": userAgent, traceparent: trace };
    }),
  ];
}
