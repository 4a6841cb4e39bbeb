import type { InsideConnection, InsideDial } from "@coxswain/apiserver";

/**
 * What the socket of the nodes' process speaks, HTTP/1.1: a CONNECT (RFC 9110, section 9.3.6) is a connection to a kubelet or a port of a
 * pod, a GET of `usagePath` is answered with what nodes and pods use. Every request has the nodes' token.
 */
export const usagePath = "/usage";

/** Of a CONNECT, whose target is host and port: how it is dialled, as JSON. */
export const dialHeader = "coxswain-dial";
export type DialHeader = Pick<InsideDial, "scheme" | "user">;

/** Of an answer to a CONNECT that failed, as JSON. */
export const failureHeader = "coxswain-failure";
export type FailureHeader = Pick<Extract<InsideConnection, { kind: "failed" }>, "code" | "address">;

export type UsageQuestion =
  | { readonly of: "nodes"; readonly name?: string }
  | { readonly of: "pods"; readonly namespace?: string; readonly name?: string };

/** A header's value is Latin-1; names of users are anything. */
export const encodeHeader = (value: unknown): string => encodeURIComponent(JSON.stringify(value));
export const decodeHeader = <T>(text: string): T => JSON.parse(decodeURIComponent(text)) as T;
