import { createSocket } from "node:dgram";
import { connect, isIPv6 } from "node:net";
import type { Clock } from "@coxswain/runtime/clock";
import type { Question } from "@coxswain/wire/dns";
import { createFrameReader, withLength } from "./length-frames.js";
import { matchesQuery } from "./matches-query.js";
import type { NameServer } from "./name-server.js";

export interface ExchangeRequest {
  readonly server: NameServer;
  /** With `id` in its head. */
  readonly bytes: Uint8Array;
  readonly id: number;
  readonly question: Question;
}

export interface ExchangeOptions {
  readonly clock: Clock;
  /** One try. */
  readonly timeoutMs: number;
  /** Called for every datagram that is no answer to the question. */
  onDiscarded(): void;
}

/** After so many datagrams that are no answer somebody guesses ids: the question is asked by TCP, which cannot be guessed. */
const maxDiscarded = 16;

/**
 * Asks by UDP, from a socket of its own: its port is random (the kernel's choice for each question), and it takes datagrams of that server
 * alone. Rejects when there is no answer in time.
 */
export function exchangeUdp(request: ExchangeRequest, options: ExchangeOptions): Promise<Buffer> {
  const { server, bytes, id, question } = request;
  const socket = createSocket(isIPv6(server.host) ? "udp6" : "udp4");
  let discarded = 0;
  return new Promise<Buffer>((resolve, reject) => {
    const timer = options.clock.setTimer(options.timeoutMs, () => finish(() => reject(new Error("no answer in time"))));
    const finish = (then: () => void): void => {
      timer.cancel();
      socket.removeAllListeners("message");
      socket.close();
      then();
    };
    socket.once("error", (error) => finish(() => reject(error)));
    socket.on("message", (answer) => {
      if (matchesQuery(answer, id, question)) return finish(() => resolve(answer));
      options.onDiscarded();
      discarded++;
      if (discarded >= maxDiscarded) finish(() => resolve(exchangeTcp(request, options)));
    });
    // The callback also gets what went wrong: a machine without a route to the server.
    socket.connect(server.port, server.host, (error?: Error) => {
      if (error) finish(() => reject(error));
      else socket.send(bytes);
    });
  });
}

/** Asks by TCP, over a connection of its own. */
export function exchangeTcp(request: ExchangeRequest, { clock, timeoutMs }: ExchangeOptions): Promise<Buffer> {
  const { server, bytes, id, question } = request;
  return new Promise<Buffer>((resolve, reject) => {
    const socket = connect({ host: server.host, port: server.port, noDelay: true });
    const timer = clock.setTimer(timeoutMs, () => fail(new Error("no answer in time")));
    const end = (): void => {
      timer.cancel();
      socket.destroy();
    };
    const fail = (error: Error): void => {
      end();
      reject(error);
    };
    const frames = createFrameReader((answer) => {
      if (!matchesQuery(answer, id, question)) return fail(new Error("the answer is to another question"));
      end();
      resolve(answer);
    });
    socket.once("error", fail);
    socket.once("close", () => fail(new Error("the server closed the connection")));
    socket.on("data", (data) => frames.push(data));
    socket.once("connect", () => socket.write(withLength(bytes)));
  });
}
