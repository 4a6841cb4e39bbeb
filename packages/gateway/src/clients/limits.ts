/** Limits of one port against slow and greedy clients. */
export const clientLimits = {
  connections: 4096,
  /** Of a request's line and headers. */
  headBytes: 64 * 1024,
  /** Milliseconds for a request's head from its first byte on, or from the beginning of a connection (slow loris). */
  headMs: 10_000,
  /** Milliseconds between two requests of a connection. */
  idleMs: 60_000,
  /** Milliseconds without a byte of a body that is waited for. */
  bodyMs: 30_000,
  /** Milliseconds in which a client takes nothing of an answer that waits for it. */
  unreadMs: 60_000,
  /** Bytes behind a request that are read before its answer is complete: of requests that come ahead of their turn. */
  aheadBytes: 64 * 1024,
  /** Of a body that nobody reads: read on for so long after the answer, so that the client gets that (RFC 9112, section 9.6). */
  lingerBytes: 256 * 1024,
  lingerMs: 1000,
};
