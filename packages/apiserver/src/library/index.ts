// An API server for kinds of one's own.
export { type ApiGroup, groupsOf } from "./api-group.js";
export type { ServedKind } from "./own-kind-parts.js";
export type {
  Connection,
  ConnectingSubresource,
  ConnectionAnswer,
  OwnSubresource,
  PlainSubresource,
  SubresourceRequest,
} from "./subresources/own-subresource.js";
export type {
  Change,
  ListPage,
  ListQuery,
  ObjectKey,
  ResourceStorage,
  StorageRequest,
  WatchQuery,
} from "./resources/resource-storage.js";
export { createMemoryStorage } from "./resources/create-memory-storage.js";
export { pageOf } from "./resources/page-of.js";
export { type ListingOptions, watchByListing } from "./resources/watch-by-listing.js";
export {
  type ApiKind,
  type ApiSchema,
  type ApiStrategy,
  type ApiVersion,
  type SubresourceFacts,
  type KindBehaviour,
  type KindInGroup,
  kindOfDefinition,
  type VersionBehaviour,
} from "@coxswain/kinds/own-kinds";
export { createApiServer, type OwnApiServer } from "./create-api-server.js";
export { delegateAuthentication, delegateAuthorization } from "./delegated-access.js";
export { namespaceLifecycle } from "./namespace-lifecycle.js";
export { runApiServer, type RunApiServerOptions } from "./run/run-api-server.js";
export type { OwnObjects } from "./own-objects.js";
export type { OwnServerOptions } from "./library-options.js";
export { type Credentials, type Listener, type ListenOptions, listen } from "../server/listener/listener.js";
export { createInProcessTransport, type InProcessOptions } from "../server/in-process/in-process.js";
export { createInProcessClient, type InProcessClient } from "../server/in-process/in-process-client.js";
export {
  type FieldError,
  fieldPath,
  forbidden,
  invalid,
  notSupported,
  required,
} from "@coxswain/apimachinery/field";
export {
  type Attributes,
  type Authorizer,
  allowed,
  type Decision,
  denied,
  noOpinion,
} from "../authorization/attributes.js";
export { alwaysAllow } from "../authorization/modes.js";
export type { AdmissionAttributes, AdmissionOperation, AdmissionPlugin } from "../admission/admission.js";
export type { UserInfo } from "../request/user-info.js";
