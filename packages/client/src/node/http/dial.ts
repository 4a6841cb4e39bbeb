import { connect, type Socket } from "node:net";

interface Place {
  readonly host: string;
  readonly port: number;
  readonly socketPath?: string;
}

/** A connection of TCP, or to a Unix socket. */
export function dial({ host, port, socketPath }: Place, signal: AbortSignal): Promise<Socket> {
  const socket = socketPath === undefined ? connect({ host, port, noDelay: true }) : connect({ path: socketPath });
  return established(socket, "connect", signal);
}

/** Resolves at `event`; the socket is destroyed when the signal aborts or it fails before. */
export function established<S extends Socket>(socket: S, event: string, signal: AbortSignal): Promise<S> {
  return new Promise((resolve, reject) => {
    const release = (): void => {
      signal.removeEventListener("abort", abort);
      socket.off("error", fail);
      socket.off("close", closed);
      socket.off(event, done);
    };
    const fail = (error: Error): void => {
      release();
      socket.on("error", () => {}); // reported by this promise
      socket.destroy();
      reject(error);
    };
    const closed = (): void => fail(new Error("the connection was closed"));
    const abort = (): void => fail(signal.reason as Error);
    const done = (): void => {
      release();
      resolve(socket);
    };
    if (signal.aborted) return abort();
    signal.addEventListener("abort", abort, { once: true });
    socket.once("error", fail);
    socket.once("close", closed);
    socket.once(event, done);
  });
}
