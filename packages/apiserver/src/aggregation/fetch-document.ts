import type { IncomingHttpHeaders } from "node:http";
import type { Clock } from "@coxswain/runtime/clock";
import { ByteCollector } from "@coxswain/wire/bytes";
import type { Network } from "../network/network.js";
import type { BackendConnections } from "../registry/streams/backend-connections.js";
import { callBackend } from "../registry/streams/call-backend.js";
import type { Location } from "../registry/streams/location.js";
import type { UserInfo } from "../request/user-info.js";
import { proxyUserHeaders } from "./proxy-user.js";

/** What an aggregated server answered to a question of this server's own. */
export interface FetchedDocument {
  readonly code: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export type FetchHeaders = readonly (readonly [name: string, value: string])[];

export interface DocumentRequest {
  readonly location: Location;
  readonly user: UserInfo;
  /** @default none */
  readonly headers?: FetchHeaders;
  readonly timeoutMs: number;
  /** An answer that is longer is an error; 0: nothing of it is read. */
  readonly maxBytes: number;
}

export interface FetchDeps {
  /** Real time: sockets. */
  readonly ioClock: Clock;
  readonly connections: BackendConnections;
  readonly network: Network;
  /** Ends what is under way. */
  readonly signal: AbortSignal;
}

/** Asks for a document. Redirects are not followed. Rejects where there is no answer, it is too long or takes too long. */
export async function fetchDocument(
  { ioClock, connections, network, signal }: FetchDeps,
  { location, user, headers = [], timeoutMs, maxBytes }: DocumentRequest,
): Promise<FetchedDocument> {
  const late = new AbortController();
  const timer = ioClock.setTimer(timeoutMs, () => late.abort());
  try {
    const answer = await callBackend({
      location,
      method: "GET",
      headers: [...proxyUserHeaders(user), ...headers],
      signal: AbortSignal.any([signal, late.signal]),
      clock: ioClock,
      connections,
      network,
    });
    if (answer.kind === "upgraded") throw new Error("the server changes protocols, though nobody asked it to");
    const { response } = answer;
    const code = response.statusCode ?? 0;
    if (maxBytes === 0) {
      response.destroy();
      return { code, headers: response.headers, body: Buffer.alloc(0) };
    }
    const body = new ByteCollector();
    for await (const chunk of response as AsyncIterable<Buffer>) {
      if (body.length + chunk.length > maxBytes) throw new Error(`the answer is longer than ${maxBytes} bytes`);
      body.add(chunk);
    }
    return { code, headers: response.headers, body: body.take() };
  } catch (err) {
    throw late.signal.aborted ? new DocumentTimeout() : err;
  } finally {
    timer.cancel();
  }
}

/** In the words of Go's HTTP client, which stand in the conditions of APIServices. */
export class DocumentTimeout extends Error {
  constructor() {
    super("context deadline exceeded (Client.Timeout exceeded while awaiting headers)");
  }
}
