export {
  createManager,
  type LeaderElectionOptions,
  type Manager,
  type ManagerOptions,
  type Runnable,
} from "./manager/index.js";
export { builtIn, defineResource, type ObjectName, type ResourceDefinition } from "./resource/index.js";
export {
  type ControllerBuilder,
  type ControllerOptions,
  type ReconcileContext,
  type Reconciler,
  type Request,
  type RequestMapping,
  type RequestName,
  type Result,
  TerminalError,
  terminalError,
  type WatchOptions,
} from "./controller/index.js";
export {
  allOf,
  annotationChanged,
  anyOf,
  type Cause,
  causeText,
  generationChanged,
  labelChanged,
  not,
  objectMatches,
  type Predicate,
  type ResourceEvent,
  resourceVersionChanged,
  type WriteCause,
} from "./event/index.js";
export { cacheOf, type CacheOptions, type ListOptions, type ResourceCacheOptions } from "./cache/index.js";
export type { ClusterAccess, LiveReads } from "./access/index.js";
export type { CustomResource, EmbeddedResource, Int32, Int64, Integer, KubernetesObject } from "@coxswain/schema-types";
export {
  AlreadyOwnedError,
  apply,
  type ApplyObjectOptions,
  type Condition,
  type ConditionUpdate,
  createOrPatch,
  deleteDerived,
  ensureFinalizer,
  findCondition,
  isBeingDeleted,
  isConditionTrue,
  isControlledBy,
  isStaleSource,
  type MadeFrom,
  type Operation,
  type Owner,
  patchStatus,
  removeCondition,
  removeFinalizer,
  setCondition,
  setControllerReference,
  setOwnerReference,
  type SourceObject,
  StaleSourceError,
  type StatusOf,
} from "./objects/index.js";
export {
  type Admission,
  type Defaulter,
  spoke,
  type Spoke,
  type Validator,
  webhookPath,
} from "./webhook/index.js";

// For extenders.
export type {
  Controller,
  Outcome,
  ReconcileObserver,
  ReconcileRecord,
  RequestQueue,
  Source,
} from "./controller/index.js";
export type { ClusterCache } from "./cache/index.js";
export type { Cluster } from "./access/index.js";
export type {
  CertificateSource,
  Handler,
  HealthCheck,
  RunningServer,
  ServedRequest,
  ServedResponse,
  Servers,
  ServingCertificate,
} from "./serving/index.js";
export type { Clusters, ListenOptions, MetricsGuard, WebhookHandlers } from "./manager/index.js";
export { type BuiltInResources, type ObjectOf, type ResourceFacts, resourceName } from "./resource/index.js";
