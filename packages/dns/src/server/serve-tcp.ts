import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { createFrameReader, withLength } from "../forward/length-frames.js";
import type { ListenAddress, Listening } from "./listening.js";
import type { ServeOptions } from "./serve-udp.js";

/** Milliseconds without a question after which a connection is closed (`IdleTimeout` in `core/dnsserver/server.go` of CoreDNS). */
const idleMs = 10_000;
/** Connections at once, of all clients and of one; more are closed at once. */
const maxConnections = 1024;
const maxConnectionsPerClient = 128;
/** Questions of one connection that are not answered yet: above it nothing is read from it (RFC 7766, section 6.2.1.1: pipelining). */
const maxUnanswered = 64;
/** Octets of answers that a client has not read: above it nothing more is read from it. */
const maxUnsent = 256 * 1024;

/** Answers questions over TCP, each as soon as its answer is known (RFC 7766, section 7: in any order). */
export async function serveTcp(address: ListenAddress, options: ServeOptions): Promise<Listening> {
  const connections = new Map<Socket, string>();
  const underWay = new Set<Promise<unknown>>();
  const countOf = (client: string): number => [...connections.values()].filter((one) => one === client).length;
  const server = createServer({ noDelay: true }, (socket) => {
    const client = (socket.remoteAddress ?? "").replace(/^::ffff:(?=[\d.]+$)/, "");
    socket.on("error", () => {}); // "close" follows
    if (connections.size >= maxConnections || countOf(client) >= maxConnectionsPerClient) return void socket.destroy();
    connections.set(socket, client);
    socket.once("close", () => connections.delete(socket));
    serveConnection(socket, client, { ...options, underWay });
  });
  server.listen(address.port, address.host);
  await once(server, "listening");
  server.on("error", options.onError);
  return {
    port: (server.address() as AddressInfo).port,
    async stop() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of connections.keys()) socket.pause();
      await Promise.all(underWay);
      for (const socket of connections.keys()) socket.end(() => socket.destroy());
      await closed;
    },
  };
}

interface ConnectionOptions extends ServeOptions {
  readonly underWay: Set<Promise<unknown>>;
}

/** What an ordinary question costs, in microseconds. */
const questionMicros = 20;

function serveConnection(socket: Socket, client: string, options: ConnectionOptions): void {
  const { clock, scheduler, underWay } = options;
  const questions: Buffer[] = [];
  let unanswered = 0;
  let isReading = false;
  let idle = clock.setTimer(idleMs, () => socket.destroy());
  const isFull = (): boolean => unanswered >= maxUnanswered || socket.writableLength > maxUnsent;

  function answered(bytes: Uint8Array | undefined): void {
    unanswered--;
    if (bytes && socket.writable) socket.write(withLength(bytes));
    else socket.destroy(); // what is answered by nothing over UDP ends a connection
    readOn();
  }

  /** Answers at once, or later. */
  function ask(question: Buffer): void {
    idle.cancel();
    idle = clock.setTimer(idleMs, () => socket.destroy());
    if (!options.limiter.allow(client)) {
      options.onDropped();
      return void socket.destroy();
    }
    unanswered++;
    const answer = options.handle(question, { transport: "tcp", client });
    if (!(answer instanceof Promise)) return answered(answer);
    const sending = answer
      .then(answered)
      .catch(options.onError)
      .finally(() => underWay.delete(sending));
    underWay.add(sending);
  }

  async function answerAll(): Promise<void> {
    while (questions.length > 0 && !isFull() && !socket.destroyed) {
      ask(questions.shift()!);
      const pause = scheduler.yield(questionMicros);
      if (pause) await pause;
    }
  }

  /** One piece of 64 KiB may hold thousands of questions: nothing more is read until they are answered. */
  function readOn(): void {
    if (isReading || socket.destroyed) return;
    isReading = true;
    answerAll()
      .catch((error: unknown) => {
        options.onError(error);
        socket.destroy();
      })
      .finally(() => {
        isReading = false;
        if (questions.length === 0 && !isFull()) socket.resume();
      });
  }

  const frames = createFrameReader((bytes) => questions.push(bytes));
  socket.once("close", () => idle.cancel());
  socket.on("drain", readOn);
  socket.on("data", (data) => {
    frames.push(data);
    socket.pause();
    readOn();
  });
}
