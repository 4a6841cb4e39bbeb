import { createServer } from "node:net";
import { listenPrivately } from "@coxswain/component/private-socket";
import type { Runtime } from "@coxswain/runtime";
import { type Header, headerValue } from "@coxswain/wire/http2";
import type { Caller } from "../../request/request.js";
import type { RequestSink } from "../../request/response-sink.js";
import type { UserInfo } from "../../request/user-info.js";
import { createHttp2Server } from "../http2/http2.js";

/** In which a part names the user that sends a request. */
export const userHeader = "coxswain-user";

/** What a request presents. */
export interface PartCredentials {
  /** Of `Authorization: Bearer`. */
  readonly token: string;
  /** The name of the user that it wants to be. */
  readonly user: string;
}

export interface PartListenOptions {
  /** Where the socket is made, with mode 0600. What a process that was killed left there is replaced. */
  readonly path: string;
  /** Asked for every request. Undefined: 401. */
  identify(credentials: PartCredentials): UserInfo | undefined;
  readonly runtime: Runtime;
}

export interface PartListener {
  /** Ends all connections and removes the socket. */
  stop(): Promise<void>;
}

/** Parts have up to a thousand watches and writes under way: over few connections their bytes arrive in larger pieces. */
const maxStreams = 1000;

/**
 * A Unix socket for components of the cluster that are processes of their own: HTTP/2 without TLS, since the bytes never leave the machine.
 * That a client could open the socket makes it nobody: each request has its part's token, and the user that it names must be one of that part's.
 */
export function listenForParts(
  { path, identify, runtime }: PartListenOptions,
  onRequest: RequestSink,
): Promise<PartListener> {
  const http2 = createHttp2Server(onRequest, {
    maxStreams,
    runtime,
    identify: (_, headers) => callerOf(headers, identify),
  });
  return listenPrivately(createServer(http2.accept), path);
}

const bearer = "Bearer ";

function callerOf(headers: readonly Header[], identify: PartListenOptions["identify"]): Caller | undefined {
  const authorization = headerValue(headers, "authorization");
  const name = headerValue(headers, userHeader);
  if (!authorization?.startsWith(bearer) || name === undefined) return undefined;
  const user = identify({ token: authorization.slice(bearer.length), user: name });
  return user && { via: "process", user };
}
