import type { TransportBody, TransportRequest } from "../transport/transport.js";
import type { ListRequest, WatchRequest } from "../watch/lister-watcher.js";
import type { ApplyOptions, CallOptions, DeleteOptions, GetOptions, WriteOptions } from "./options.js";
import { applyContentType, encodePatch, type Patch } from "./patch.js";
import { type ResourcePath, resourcePath } from "./resource-path.js";

// Requests as data. Nothing here sends anything: a transport does.

type Query = [name: string, value: string][];

const call = (options: CallOptions): Pick<TransportRequest, "signal" | "timeoutMs" | "headers"> => ({
  ...(options.headers && { headers: options.headers }),
  ...(options.signal && { signal: options.signal }),
  ...(options.timeoutMs !== undefined && { timeoutMs: options.timeoutMs }),
});

export function getRequest(path: ResourcePath, options: GetOptions = {}): TransportRequest {
  const query: Query = [];
  add(query, "resourceVersion", options.resourceVersion);
  return { method: "GET", path: resourcePath(path), query, ...call(options) };
}

export const listRequest = (
  path: ResourcePath,
  request: ListRequest = {},
  options: CallOptions = {},
): TransportRequest => ({
  method: "GET",
  path: resourcePath(path),
  query: listQuery(request),
  ...call(options),
});

export function watchRequest(
  path: ResourcePath,
  request: WatchRequest = {},
  options: CallOptions = {},
): TransportRequest {
  const query: Query = [["watch", "true"]];
  add(query, "labelSelector", request.labelSelector);
  add(query, "fieldSelector", request.fieldSelector);
  add(query, "resourceVersion", request.resourceVersion);
  add(query, "resourceVersionMatch", request.resourceVersionMatch);
  add(query, "sendInitialEvents", request.sendInitialEvents);
  add(query, "allowWatchBookmarks", request.allowWatchBookmarks);
  add(query, "timeoutSeconds", request.timeoutSeconds);
  return { method: "GET", path: resourcePath(path), query, ...call(options) };
}

export const createRequest = (path: ResourcePath, object: unknown, options: WriteOptions = {}): TransportRequest =>
  write("POST", path, { as: "value", value: object }, options);

export const updateRequest = (path: ResourcePath, object: unknown, options: WriteOptions = {}): TransportRequest =>
  write("PUT", path, { as: "value", value: object }, options);

export const patchRequest = (path: ResourcePath, patch: Patch<unknown>, options: WriteOptions = {}): TransportRequest =>
  write("PATCH", path, { as: "value", ...encodePatch(patch) }, options);

export function applyRequest(path: ResourcePath, configuration: unknown, options: ApplyOptions): TransportRequest {
  if (options.fieldManager === "") throw new TypeError("server-side apply needs a fieldManager");
  const request = write("PATCH", path, { as: "value", value: configuration, contentType: applyContentType }, options);
  return options.force ? { ...request, query: [...(request.query ?? []), ["force", "true"]] } : request;
}

export function deleteRequest(path: ResourcePath, options: DeleteOptions = {}): TransportRequest {
  const body = deleteBody(options);
  return { method: "DELETE", path: resourcePath(path), ...(body && { body }), ...call(options) };
}

/** Deletes what `select` lists. Pages are no way to delete a part: the server ignores `limit`. */
export const deleteCollectionRequest = (
  path: ResourcePath,
  select: ListRequest,
  options: DeleteOptions = {},
): TransportRequest => ({ ...deleteRequest(path, options), query: listQuery(select) });

function write(
  method: "POST" | "PUT" | "PATCH",
  path: ResourcePath,
  body: TransportBody,
  options: WriteOptions,
): TransportRequest {
  const query: Query = [];
  if (options.dryRun) query.push(["dryRun", "All"]);
  add(query, "fieldManager", options.fieldManager);
  add(query, "fieldValidation", options.fieldValidation);
  return { method, path: resourcePath(path), query, body, ...call(options) };
}

function listQuery(request: ListRequest): Query {
  const query: Query = [];
  add(query, "labelSelector", request.labelSelector);
  add(query, "fieldSelector", request.fieldSelector);
  add(query, "resourceVersion", request.resourceVersion);
  add(query, "resourceVersionMatch", request.resourceVersionMatch);
  add(query, "limit", request.limit);
  add(query, "continue", request.continue);
  return query;
}

function deleteBody(options: DeleteOptions): TransportBody | undefined {
  const { dryRun, gracePeriodSeconds, propagationPolicy, preconditions } = options;
  const value = {
    kind: "DeleteOptions",
    apiVersion: "v1",
    ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
    ...(preconditions && { preconditions }),
    ...(propagationPolicy && { propagationPolicy }),
    ...(dryRun && { dryRun: ["All"] }),
    ...(options.ignoreStoreReadErrorWithClusterBreakingPotential && {
      ignoreStoreReadErrorWithClusterBreakingPotential: true,
    }),
  };
  return Object.keys(value).length === 2 ? undefined : { as: "value", value };
}

function add(query: Query, name: string, value: string | number | boolean | undefined): void {
  if (value !== undefined && value !== "") query.push([name, String(value)]);
}
