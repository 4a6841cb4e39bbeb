import {
  type ApplyOptions,
  applyRequest,
  createRequest,
  type DeepPartial,
  type GetOptions,
  getRequest,
  type Patch,
  type PatchOptions,
  patchRequest,
  type ResourcePath,
  type RestClient,
  updateRequest,
  type WriteOptions,
} from "../rest/index.js";
import type { TransportRequest } from "../transport/transport.js";

/** Those of built-in resources, for editors to complete; a server may have others. */
export type SubresourceName =
  | "approval" // of certificatesigningrequests
  | "binding" // of pods
  | "ephemeralcontainers" // of pods
  | "eviction" // of pods
  | "finalize" // of namespaces
  | "resize" // of pods
  | "scale" // of deployments, replicasets, replicationcontrollers, statefulsets, custom resources
  | "status"
  | "token" // of serviceaccounts
  | (string & {});

/** A part of each object of a resource: its status, its scale, an action such as an eviction. */
export interface Subresource<S extends object> {
  get(name: string, options?: GetOptions): Promise<S>;
  /** Actions: `eviction`, `binding`, `token`. */
  create(name: string, body: S, options?: WriteOptions): Promise<S>;
  update(name: string, body: S, options?: WriteOptions): Promise<S>;
  patch(name: string, patch: Patch<S>, options?: PatchOptions): Promise<S>;
  apply(name: string, configuration: DeepPartial<S>, options: ApplyOptions): Promise<S>;
}

/** `complete` adds the kind to bodies that may leave it out. */
export function createSubresource<S extends object>(
  rest: RestClient,
  pathOf: (name: string) => ResourcePath,
  complete: (body: object) => object,
): Subresource<S> {
  const send = (request: TransportRequest): Promise<S> => rest.send(request) as Promise<S>;
  return {
    get: (name, options) => send(getRequest(pathOf(name), options)),
    create: (name, body, options) => send(createRequest(pathOf(name), complete(body), options)),
    update: (name, body, options) => send(updateRequest(pathOf(name), complete(body), options)),
    patch: (name, patch, options) => send(patchRequest(pathOf(name), patch, options)),
    apply: (name, configuration, options) => send(applyRequest(pathOf(name), complete(configuration), options)),
  };
}
