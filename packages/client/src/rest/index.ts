export { createRestClient, type RestClient, type RestClientOptions } from "./rest-client.js";
export type { ApplyOptions, CallOptions, DeleteOptions, GetOptions, PatchOptions, WriteOptions } from "./options.js";
export type { DeepPartial, JsonPatchOperation, MergePatch, Patch } from "./patch.js";
export { type ResourcePath, resourcePath } from "./resource-path.js";
export {
  applyRequest,
  createRequest,
  deleteCollectionRequest,
  deleteRequest,
  getRequest,
  listRequest,
  patchRequest,
  updateRequest,
  watchRequest,
} from "./request.js";

// Interceptors.
export { addHeaders, type HeaderSource } from "./add-headers.js";
export { type Impersonation, impersonationHeaders } from "./impersonation.js";
export { limitRate, type RateLimit } from "./limit-rate.js";
export { observeRequests, type RequestRecord } from "./observe-requests.js";
export { createWarningLog, reportWarnings, type WarningHandler } from "./report-warnings.js";
export { type Span, traceRequests, type Tracer } from "./trace-requests.js";
export { retryRequests, type RetryPolicy } from "./retry-requests.js";
