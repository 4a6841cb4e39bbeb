export { type Client, type ClientOptions, createClient, type TypedGroups } from "./typed/index.js";
export type {
  AppsV1,
  BatchV1,
  CoreV1,
  NetworkingV1,
  RbacV1,
  StorageV1,
} from "./typed/index.js";
export {
  type ApplyConfiguration,
  type MetadataClient,
  type PartialObjectMetadata,
  ResourceClient,
  type ResourceRef,
  type ScaleClient,
  type Subresource,
  type SubresourceName,
} from "./resource/index.js";
export type {
  ApplyOptions,
  CallOptions,
  DeepPartial,
  DeleteOptions,
  GetOptions,
  Impersonation,
  JsonPatchOperation,
  MergePatch,
  Patch,
  PatchOptions,
  RequestRecord,
  WarningHandler,
  WriteOptions,
} from "./rest/index.js";
export type {
  ApiSurface,
  DiscoveredGroup,
  DiscoveredResource,
  DiscoveryClient,
  DynamicMapper,
} from "./discovery/index.js";
export {
  eachEvent,
  type ListerWatcher,
  type ListPage,
  type ListRequest,
  type WatchEvent,
  type WatchRequest,
  type WatchStream,
} from "./watch/index.js";
export { createFetchTransport, type FetchTransportOptions } from "./fetch/index.js";
export { isTransportError, TransportError } from "./transport/index.js";

// Informers, queues, leader election and events have paths of their own: @coxswain/client/informers, /stores, /queue,
// /leader-election, /events, /retry, /controller, /certificates. The most used of them are here as well.
export { createSharedInformer, createSharedInformerFactory, waitUntil } from "./informers/index.js";
export { createRateLimitingQueue, runWorkers } from "./queue/index.js";
export { createLeaderElector, createLeaseLock } from "./leader-election/index.js";
export { retryOnConflict } from "./retry/index.js";

// For those who extend it.
export {
  intercept,
  type Interceptor,
  type Transport,
  type TransportBody,
  type TransportRequest,
  type TransportResponse,
} from "./transport/index.js";
export { createRestClient, createWarningLog, type RestClient } from "./rest/index.js";
export { clientThrough } from "./typed/index.js";
