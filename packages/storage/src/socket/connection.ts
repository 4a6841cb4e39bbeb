import { once } from "node:events";
import { connect, type Socket } from "node:net";
import type { Clock } from "@coxswain/runtime/clock";
import { StoreError } from "../contract/store-error.js";
import { encodeFrame, type Frame, readFrames } from "./frame.js";
import { type Answer, type AnswerOf, type Hello, protocolVersion, type Request } from "./protocol.js";
import { socketAddress } from "./socket-address.js";

export interface ConnectStoreOptions {
  readonly path: string;
  /** For the time limit. */
  readonly clock: Clock;
  /** Time limit for the server's greeting, in milliseconds. @default 5000 */
  readonly helloTimeoutMs?: number;
}

export interface Answered<K extends Answer["kind"]> {
  readonly answer: AnswerOf<K>;
  readonly body: Buffer;
}

export interface Connection {
  readonly pid: number;
  /** One call at a time. An abort closes the connection: a request that was sent cannot be cancelled. */
  call<K extends Answer["kind"]>(request: Request, expected: K, signal?: AbortSignal): Promise<Answered<K>>;
  /** Until `end`. Read it through, or close the connection. */
  stream(request: Request, signal?: AbortSignal): AsyncGenerator<Answered<"records">, void>;
  close(): Promise<void>;
}

/** As long as an answer may be: a portion of records, or a range that somebody asked for in one piece. */
const maxAnswerBytes = 2 ** 31 - 1;

/** undefined: nobody listens there. */
export async function openConnection({
  path,
  clock,
  helloTimeoutMs = 5000,
}: ConnectStoreOptions): Promise<Connection | undefined> {
  const socket = await open(path);
  if (!socket) return undefined;
  const frames = readFrames(socket, maxAnswerBytes);
  const timer = clock.setTimer(helloTimeoutMs, () =>
    socket.destroy(new StoreError("unavailable", `the process that serves ${path} does not answer`)),
  );
  try {
    const hello = (await next(frames)).head as Partial<Hello> | null;
    if (hello?.store !== "coxswain")
      throw new StoreError("unavailable", `${path} is served by something else than coxswain`);
    if (hello.protocol !== protocolVersion) {
      throw new StoreError(
        "unavailable",
        `the server that runs (pid ${hello.pid}) is of another version than this command: it speaks version ${hello.protocol} of the store's protocol, this one version ${protocolVersion}. Use the command that the server was started with`,
      );
    }
    return createConnection(socket, frames, hello.pid ?? 0);
  } catch (err) {
    socket.destroy();
    throw err;
  } finally {
    timer.cancel();
  }
}

async function open(path: string): Promise<Socket | undefined> {
  let release = (): void => undefined;
  try {
    const address = socketAddress(path);
    release = address.release;
    const socket = connect(address.path);
    await once(socket, "connect");
    return socket.on("error", () => undefined); // Its readers get the error.
  } catch (err) {
    const { code } = err as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ECONNREFUSED" || code === "ENOTDIR") return undefined;
    if (code === "EACCES" || code === "EPERM")
      throw new StoreError(
        "unavailable",
        `${path} belongs to another user: run the command as the one who runs the server`,
        { cause: err },
      );
    throw err;
  } finally {
    release();
  }
}

function createConnection(socket: Socket, frames: AsyncGenerator<Frame, void>, pid: number): Connection {
  let last: Promise<unknown> = Promise.resolve();

  const abortable = async <T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> => {
    signal?.throwIfAborted();
    const abort = (): void => void socket.destroy();
    signal?.addEventListener("abort", abort, { once: true });
    try {
      return await work();
    } catch (err) {
      signal?.throwIfAborted();
      throw err;
    } finally {
      signal?.removeEventListener("abort", abort);
    }
  };
  const ask = (request: Request): void => encodeFrame(request).forEach((part) => void socket.write(part));

  return {
    pid,
    call(request, expected, signal) {
      const answered = last.then(() =>
        abortable(signal, async () => {
          ask(request);
          return take(await next(frames), expected);
        }),
      );
      last = answered.catch(() => undefined);
      return answered;
    },
    async *stream(request, signal) {
      await last;
      ask(request);
      for (;;) {
        const frame = await abortable(signal, () => next(frames));
        if ((frame.head as Answer).kind === "end") return;
        yield take(frame, "records");
      }
    },
    async close() {
      socket.destroy();
    },
  };
}

async function next(frames: AsyncGenerator<Frame, void>): Promise<Frame> {
  const { value } = await frames.next();
  if (!value) throw new StoreError("unavailable", "the server ended the connection");
  return value;
}

function take<K extends Answer["kind"]>({ head, body }: Frame, expected: K): Answered<K> {
  const answer = head as Answer;
  if (answer.kind === "error") throw new StoreError(answer.reason, answer.message);
  if (answer.kind !== expected)
    throw new StoreError("unavailable", `the server answered ${answer.kind} where ${expected} was expected`);
  return { answer: answer as AnswerOf<K>, body };
}
