export type { Transport, TransportBody, TransportRequest, TransportResponse } from "./transport.js";
export { isTransportError, TransportError, type TransportErrorKind } from "./transport-error.js";
export { countRequests } from "./count-requests.js";
export { intercept, type Interceptor } from "./interceptor.js";

// For those who write a transport.
export { BatchQueue, type BatchQueueOptions } from "./batch-queue.js";
export { encodeBody, parseJsonBody, parseJsonText } from "./json-body.js";
export { encodeQuery, requestTarget } from "./query.js";
export { limitRequest, type RequestLimit } from "./request-limit.js";
export { responseError } from "./response-error.js";
export { parseWarnings } from "./warnings.js";
