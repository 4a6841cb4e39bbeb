/** Limits of one endpoint, so that one that is slow or hostile does not take what others need. */
export const backendLimits = {
  /** Requests under way, as Envoy's circuit breakers have it. Above it: 503. */
  requests: 1024,
  /** Connections without a request that are kept. */
  idleConnections: 128,
  idleMs: 30_000,
  connectMs: 10_000,
  /** Of an answer's line and headers. */
  headBytes: 64 * 1024,
  /** Answers of 1xx before the one to a request: reading them costs a processor, and nobody gets them. */
  informational: 16,
  /** Milliseconds without a byte of an answer whose head has not come: a backend that never answers. */
  headMs: 300_000,
  /** Requests at once on a connection of HTTP/2. */
  streams: 100,
};
