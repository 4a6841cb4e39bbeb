import { formatGroupVersion, type GroupVersionResource, type KubernetesObject } from "@coxswain/apimachinery/meta";
import {
  type ApplyOptions,
  applyRequest,
  type CallOptions,
  createRequest,
  type DeepPartial,
  type DeleteOptions,
  deleteCollectionRequest,
  deleteRequest,
  type GetOptions,
  getRequest,
  listRequest,
  type Patch,
  type PatchOptions,
  patchRequest,
  type ResourcePath,
  type RestClient,
  updateRequest,
  type WriteOptions,
  watchRequest,
} from "../rest/index.js";
import type { TransportRequest } from "../transport/transport.js";
import type { WatchStream } from "../transport/watch-event.js";
import type { ListerWatcher, ListPage, ListRequest, WatchRequest } from "../watch/lister-watcher.js";
import { pageOf } from "./list-page.js";
import { eachPage } from "./paging.js";
import { createSubresource, type Subresource, type SubresourceName } from "./subresource.js";

/** A resource that a client works with. */
export interface ResourceRef extends GroupVersionResource {
  /** Fills `kind` and `apiVersion` of what is sent without them. @default undefined: objects name theirs */
  readonly kind?: string | undefined;
}

/** An apply configuration: the fields that the manager wants to own. `kind` and `apiVersion` may be left out where the client knows them. */
export type ApplyConfiguration<T> = DeepPartial<T> & { readonly metadata: { readonly name: string } };

export interface ResourceClientOptions {
  /** What answers contain: whole objects, or their metadata. @default "object" */
  readonly view?: "object" | "metadata";
}

const metadataView = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json";
const metadataListView = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json";

/**
 * One resource in one namespace, in all of them, or of the cluster. The same class serves every kind: it knows paths and
 * options, and nothing about the objects.
 *
 * Every method throws a StatusError when the server refuses and a TransportError when there was no answer.
 */
export class ResourceClient<T extends object = KubernetesObject> implements ListerWatcher<T> {
  readonly resource: ResourceRef;
  /** Undefined: all namespaces, or the cluster. */
  readonly namespace: string | undefined;
  readonly #rest: RestClient;
  readonly #view: "object" | "metadata";

  constructor(rest: RestClient, resource: ResourceRef, namespace?: string, options: ResourceClientOptions = {}) {
    this.#rest = rest;
    this.resource = resource;
    this.namespace = namespace;
    this.#view = options.view ?? "object";
  }

  /** @throws StatusError NotFound */
  get(name: string, options: GetOptions = {}): Promise<T> {
    return this.#send(this.#viewed(getRequest(this.#path({ name }), options), metadataView));
  }

  /** One page; everything, unless `limit` is set. */
  async list(request: ListRequest = {}, signal?: AbortSignal): Promise<ListPage<T>> {
    return pageOf<T>(
      await this.#rest.send(this.#viewed(listRequest(this.#path({}), request, { signal }), metadataListView)),
    );
  }

  /** Page by page. A list that expires on the way goes on with everything in one page, as client-go's pager. */
  pages(request: ListRequest = {}, options: CallOptions = {}): AsyncIterable<ListPage<T>> {
    return eachPage((page) => this.list(page, options.signal), request);
  }

  /** Object by object, fetched in pages of `limit`. @default 500 */
  async *items(request: ListRequest = {}, options: CallOptions = {}): AsyncGenerator<T, void> {
    for await (const page of this.pages(request, options)) yield* page.items;
  }

  /** Resolves once the server has accepted the watch. */
  watch(request: WatchRequest = {}, signal?: AbortSignal): Promise<WatchStream<T>> {
    return this.#rest.watch(this.#viewed(watchRequest(this.#path({}), request, { signal }), metadataView)) as Promise<
      WatchStream<T>
    >;
  }

  /** @throws StatusError AlreadyExists */
  create(object: T, options: WriteOptions = {}): Promise<T> {
    return this.#send(createRequest(this.#path({}), this.#typed(object), options));
  }

  /** Replaces the object; with a resourceVersion only if it still has that one. @throws StatusError Conflict */
  update(object: T, options: WriteOptions = {}): Promise<T> {
    return this.#send(updateRequest(this.#path({ name: nameOf(object) }), this.#typed(object), options));
  }

  updateStatus(object: T, options: WriteOptions = {}): Promise<T> {
    return this.subresource<T>("status").update(nameOf(object), object, options);
  }

  patch(name: string, patch: Patch<T>, options: PatchOptions = {}): Promise<T> {
    return this.#send(this.#viewed(patchRequest(this.#path({ name }), patch, options), metadataView));
  }

  /** Server-side apply. @throws StatusError Conflict where another manager owns a field and `force` is not set */
  apply(configuration: ApplyConfiguration<T>, options: ApplyOptions): Promise<T> {
    const { name } = configuration.metadata;
    return this.#send(applyRequest(this.#path({ name }), this.#typed(configuration), options));
  }

  applyStatus(configuration: ApplyConfiguration<T>, options: ApplyOptions): Promise<T> {
    return this.subresource<T>("status").apply(configuration.metadata.name, configuration, options);
  }

  /** The object where it goes on to exist for a while (finalizers, grace), else a Status. @throws StatusError NotFound */
  delete(name: string, options: DeleteOptions = {}): Promise<unknown> {
    return this.#rest.send(deleteRequest(this.#path({ name }), options));
  }

  /** Deletes all that `select` matches; without a selector, everything in the namespace. */
  deleteCollection(select: ListRequest = {}, options: DeleteOptions = {}): Promise<unknown> {
    return this.#rest.send(deleteCollectionRequest(this.#path({}), select, options));
  }

  /** `subresource<Scale>("scale")`, `subresource<Eviction>("eviction")`. */
  subresource<S extends object>(subresource: SubresourceName): Subresource<S> {
    const fill = subresource === "status" ? (value: object) => this.#typed(value) : (value: object) => value;
    return createSubresource<S>(this.#rest, (name) => this.#path({ name, subresource }), fill);
  }

  #path(rest: { name?: string; subresource?: string }): ResourcePath {
    const { group, version, resource } = this.resource;
    return { group, version, resource, namespace: this.namespace, ...rest };
  }

  #send(request: TransportRequest): Promise<T> {
    return this.#rest.send(request) as Promise<T>;
  }

  #viewed(request: TransportRequest, accept: string): TransportRequest {
    return this.#view === "object" ? request : { ...request, headers: { ...request.headers, accept } };
  }

  /** Server-side apply refuses a body without kind and apiVersion, and strict servers do so for writes. */
  #typed(object: object): object {
    const { kind } = this.resource;
    if (kind === undefined || "kind" in object) return object;
    return { kind, apiVersion: formatGroupVersion(this.resource), ...object };
  }
}

function nameOf(object: { readonly metadata?: { readonly name?: string } } | object): string {
  const name = (object as KubernetesObject).metadata?.name;
  if (name === undefined || name === "") throw new TypeError("the object has no metadata.name");
  return name;
}
