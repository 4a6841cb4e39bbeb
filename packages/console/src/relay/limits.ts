/** What one browser session may hold. Each answers a flood: of streams, of bytes, of frames. */
export const limits = {
  /** A page uses some 30: a watch for each open kind, a log for each pod of a workload. */
  streams: 200,
  /** Request bodies and what waits to be written to a slow reader, of one session. */
  bytesInFlight: 64 * 1024 * 1024,
  /** Of one WebSocket message. The client sends at most 256 KiB and a head. */
  frameBytes: 1024 * 1024,
  /** Of one request's body: the API server takes 3 MiB. */
  bodyBytes: 4 * 1024 * 1024,
  /** Of one answer that the reader allows to be under way. */
  credit: 16 * 1024 * 1024,
  /** Of a request target, headers included. */
  openBytes: 32 * 1024,
  /** Sessions at once. */
  sessions: 16,
  /** Links that were made and not used. */
  codes: 64,
  /** Of the POST that exchanges a code. */
  exchangeBytes: 1024,
  /** Exchanges a minute: a code has 128 bits, so this is about work, not about guessing. */
  exchangesPerMinute: 30,
  codeLifeMs: 5 * 60_000,
  /** From the handshake to the key. */
  helloMs: 10_000,
  /** Ports of this machine that lead to pods, of one session. */
  forwards: 8,
  /** Connections to one of them at once: a browser opens six, a load test more. */
  forwardConnections: 64,
  /** HTTP connections at once. */
  connections: 128,
} as const;
