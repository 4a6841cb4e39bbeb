import { chmod, rename, rm } from "node:fs/promises";
import { createServer, type Socket } from "node:net";
import { StoreError } from "../contract/store-error.js";
import { encodeFrame, readFrames } from "./frame.js";
import { type Hello, protocolVersion, type Request, type StoreAccess } from "./protocol.js";
import { createSession, type Send } from "./session.js";
import { socketAddress } from "./socket-address.js";

export interface ServeStoreOptions {
  readonly store: StoreAccess;
  /** Where the socket is created. An existing one is replaced: the caller knows that no process serves it any more. */
  readonly path: string;
  /** How the server identifies itself to clients. @default this process */
  readonly pid?: number;
}

export interface StoreSocket {
  /** Ends all connections and removes the socket. The store stays open. */
  stop(): Promise<void>;
}

/** A request is a key and a few numbers. */
const maxRequestBytes = 1024 * 1024;

/** Lets commands of the same user (mode 0600) work on a store that this process has open. */
export async function serveStore({ store, path, pid = process.pid }: ServeStoreOptions): Promise<StoreSocket> {
  const sessions = new Map<Socket, Promise<void>>();
  const server = createServer((socket) => {
    sessions.set(
      socket,
      serveConnection(store, socket, pid).finally(() => sessions.delete(socket)),
    );
  });
  // Made under another name and moved when it has its mode: nobody finds it open to others, nor a leftover in its place.
  const draft = `${path}.${process.pid}`;
  const address = socketAddress(draft);
  try {
    await rm(draft, { force: true });
    await new Promise<void>((resolve, reject) => server.once("error", reject).listen(address.path, resolve));
    await chmod(draft, 0o600);
    await rename(draft, path);
  } catch (err) {
    server.close();
    address.release();
    throw new StoreError(
      "unavailable",
      `the socket ${path} cannot be made: ${err instanceof Error ? err.message : String(err)}`,
      { cause: err },
    );
  }
  server.unref();
  return {
    async stop() {
      await rm(path, { force: true });
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sessions.keys()) socket.destroy();
      await Promise.allSettled(sessions.values());
      await closed;
      address.release();
    },
  };
}

/** Never rejects: what goes wrong with a connection concerns nobody but who is at its other end. */
async function serveConnection(store: StoreAccess, socket: Socket, pid: number): Promise<void> {
  const gone = new AbortController();
  socket
    .on("error", () => undefined)
    .once("close", () => gone.abort(new StoreError("unavailable", "the client has gone")));
  const send: Send = async (head, body) => {
    if (!writeAll(socket, encodeFrame(head, body))) await drained(socket);
    gone.signal.throwIfAborted();
  };
  const session = createSession(store, send, gone.signal);
  try {
    await send({ store: "coxswain", protocol: protocolVersion, pid } satisfies Hello);
    // Left open by the loop, so that the client gets the error.
    for await (const { head } of readFrames(socket.iterator({ destroyOnReturn: false }), maxRequestBytes))
      await session.answer(head as Request);
  } catch (err) {
    if (!gone.signal.aborted && err instanceof StoreError)
      await send({ kind: "error", reason: err.reason, message: err.message }).catch(() => undefined);
  } finally {
    await session.end();
    socket.destroySoon();
  }
}

function writeAll(socket: Socket, parts: readonly Uint8Array[]): boolean {
  socket.cork();
  let ready = true;
  for (const part of parts) ready = socket.write(part);
  socket.uncork();
  return ready;
}

function drained(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      socket.off("drain", done).off("close", done);
      resolve();
    };
    if (socket.destroyed) resolve();
    else socket.on("drain", done).on("close", done);
  });
}
