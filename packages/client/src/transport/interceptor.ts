import type { Transport } from "./transport.js";

/** Something between a client and its transport: sees each request before it is sent and each answer before it is read. */
export type Interceptor = (next: Transport) => Transport;

/** A request meets the interceptors from first to last, then the transport. */
export const intercept = (transport: Transport, interceptors: readonly Interceptor[]): Transport =>
  interceptors.reduceRight((next, interceptor) => interceptor(next), transport);
