import type { Socket } from "node:net";
import type { Runtime } from "@coxswain/runtime";
import { errorCode, type Header, headerValue, ServerSession, type ServerStream } from "@coxswain/wire/http2";
import type { Caller } from "../../request/request.js";
import type { RequestSink } from "../../request/response-sink.js";
import { hasBrokenEscape } from "../connection/decode-path.js";
import { createHttpDate } from "../connection/http-date.js";
import { asksForServer, parseTarget } from "../connection/request-target.js";
import { callerOf } from "../connection/socket-caller.js";
import { Http2Request } from "./request.js";
import { Http2Sink } from "./sink.js";

export interface Http2Server {
  /** Serves a socket whose TLS handshake is done, or that needs none. */
  accept(socket: Socket): void;
  /** Sends GOAWAY on all connections; each closes when its open streams are complete. */
  close(): void;
  /** Closes them now. */
  end(): void;
}

export interface Http2Options {
  /** SETTINGS_MAX_CONCURRENT_STREAMS. @default 100 */
  readonly maxStreams?: number;
  readonly runtime: Runtime;
  /** Who is at the other end; undefined: nobody who may be there, which is answered with 401. @default what TLS knows */
  readonly identify?: (socket: Socket, headers: readonly Header[]) => Caller | undefined;
}

export function createHttp2Server(
  onRequest: RequestSink,
  { maxStreams = 100, runtime: { ioClock, scheduler }, identify = callerOf }: Http2Options,
): Http2Server {
  const sessions = new Set<ServerSession>();
  const date = createHttpDate(ioClock);

  const receive = (stream: ServerStream, session: ServerSession, socket: Socket): void => {
    const method = headerValue(stream.headers, ":method") ?? "";
    const target = parseTarget(headerValue(stream.headers, ":path") ?? "", ""); // only CONNECT has none
    if (hasBrokenEscape(target.path)) return stream.reset(errorCode.protocolError);
    if (asksForServer(method, target)) return stream.respond(200, { "content-length": "0", date: date() }, true);
    const caller = identify(socket, stream.headers);
    if (!caller) return stream.respond(401, { "content-length": "0", date: date() }, true);
    onRequest(new Http2Request(stream, { method, target, caller, session }), new Http2Sink(stream, date));
  };

  /** In the words of Go's server. */
  const refuse = (stream: ServerStream, status: 400 | 431, why: string): void => {
    const isPage = status === 431;
    const body = Buffer.from(isPage ? "<h1>HTTP Error 431</h1><p>Request Header Field(s) Too Large</p>" : `${why}\n`);
    stream.respond(
      status,
      {
        "content-type": isPage ? "text/html; charset=utf-8" : "text/plain; charset=utf-8",
        ...(isPage ? {} : { "x-content-type-options": "nosniff" }),
        "content-length": String(body.length),
        date: date(),
      },
      false,
    );
    stream.end(body);
  };

  return {
    accept(socket) {
      const session: ServerSession = new ServerSession(socket, {
        maxStreams,
        clock: ioClock,
        scheduler,
        onRequest: (stream) => receive(stream, session, socket),
        onRefused: (stream, status, why) => refuse(stream, status, why),
        onClose: () => sessions.delete(session),
      });
      sessions.add(session);
    },
    close: () => sessions.forEach((session) => session.closeNow()),
    end: () => sessions.forEach((session) => session.end()),
  };
}
