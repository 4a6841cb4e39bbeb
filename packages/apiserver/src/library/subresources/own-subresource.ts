import type { Duplex, Readable } from "node:stream";
import type { DeepReadonly } from "@coxswain/api";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import type { UserInfo } from "../../request/user-info.js";

/** A subresource of one's own: a document of its own behind an object, or a connection through it. */
export type OwnSubresource<T extends KubernetesObject = KubernetesObject> =
  | PlainSubresource<T>
  | ConnectingSubresource<T>;

/** Who asks for which object's subresource. */
export interface SubresourceRequest<T extends KubernetesObject = KubernetesObject> {
  readonly namespace: string;
  readonly name: string;
  readonly user: UserInfo;
  /** The object in the hub version. @throws StatusError (404) where there is none */
  object(): Promise<DeepReadonly<T>>;
  /** The first value of a member of the query; "" where there is none. */
  query(name: string): string;
  /** Sent as a Warning header. */
  warn(text: string): void;
  readonly dryRun: boolean;
  /** Aborted when the client is gone, or its deadline has passed. */
  readonly signal: AbortSignal;
}

/** JSON in, JSON out; what is thrown as a StatusError is the answer. `kind` and `apiVersion` of the answer are set. */
export interface PlainSubresource<T extends KubernetesObject = KubernetesObject> {
  /** The kind of its bodies and answers. @default the kind itself */
  readonly kind?: { readonly group: string; readonly version: string; readonly kind: string };
  get?(request: SubresourceRequest<T>): Promise<object>;
  create?(request: SubresourceRequest<T>, body: Readonly<Record<string, unknown>>): Promise<object>;
  update?(request: SubresourceRequest<T>, body: Readonly<Record<string, unknown>>): Promise<object>;
}

/** Streams, proxies: the client is connected with somebody else. Admission sees it as CONNECT. */
export interface ConnectingSubresource<T extends KubernetesObject = KubernetesObject> {
  /** @default GET and POST */
  readonly methods?: readonly string[];
  connect(connection: Connection<T>): Promise<ConnectionAnswer>;
}

export interface Connection<T extends KubernetesObject = KubernetesObject> extends SubresourceRequest<T> {
  readonly method: string;
  /** What follows in the path of a subresource called "proxy": "/", "/a/b". Others have no more path. */
  readonly path: string;
  /** By lower-case name. */
  header(name: string): string | undefined;
  /** As it comes. Once. */
  openBody(): Readable;
  /** Takes the connection away from HTTP, where the client asked for another protocol. The answer is then "upgraded". */
  readonly upgrade?: () => { readonly socket: Duplex; readonly head: Uint8Array };
}

export type ConnectionAnswer =
  | {
      readonly as: "stream";
      /** @default 200 */
      readonly code?: number;
      /** By lower-case name. */
      readonly headers?: Readonly<Record<string, string>>;
      /** Destroyed when the client is gone. @default none */
      readonly body?: Readable;
    }
  /** `run` serves the connection to its end, and never rejects. */
  | { readonly as: "upgraded"; run(): Promise<void> };

export const isConnecting = <T extends KubernetesObject>(
  subresource: OwnSubresource<T>,
): subresource is ConnectingSubresource<T> => "connect" in subresource;
