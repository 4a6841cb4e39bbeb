import { type AddressInfo, createServer } from "node:net";
import type { Task } from "@coxswain/runtime/scheduler";
import { afterEach } from "vitest";
import { headerValue } from "./header.js";
import { ServerSession } from "./server-session.js";
import type { ServerStream } from "./server-stream.js";

const clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  setTimer(ms: number, fire: () => void) {
    const timer = setTimeout(fire, ms);
    return { cancel: () => clearTimeout(timer) };
  },
};

/** Closed after each test. */
export const open: { close(): unknown }[] = [];
afterEach(() =>
  open
    .splice(0)
    .reverse()
    .forEach((thing) => thing.close()),
);

export interface Served {
  readonly port: number;
  readonly sessions: ServerSession[];
  /** Paths of the requests that were begun. */
  readonly begun: string[];
}

export const serve = async (
  onRequest: (stream: ServerStream, path: string) => void,
  maxStreams = 100,
): Promise<Served> => {
  const sessions: ServerSession[] = [];
  const begun: string[] = [];
  const scheduler = {
    schedule: (task: Task) => setImmediate(() => task.run(() => true) && scheduler.schedule(task)),
  };
  const server = createServer((socket) => {
    open.push({ close: () => socket.destroy() });
    sessions.push(
      new ServerSession(socket, {
        maxStreams,
        clock,
        scheduler,
        onRequest(stream) {
          const path = headerValue(stream.headers, ":path") ?? "";
          begun.push(path);
          onRequest(stream, path);
        },
        onRefused: (stream, status) => stream.respond(status, {}, true),
        onClose() {},
      }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  open.push(server);
  return { port: (server.address() as AddressInfo).port, sessions, begun };
};

export const echo = (stream: ServerStream): void => {
  stream.respond(200, { "content-type": "text/plain" }, false);
  stream.read({
    onData(data) {
      if (stream.write(data)) stream.credit(data.length);
      else stream.onceDrained(() => stream.credit(data.length));
    },
    onEnd: () => stream.end(),
    onAborted() {},
  });
};
export const answer = (stream: ServerStream, text = "ok"): void => {
  stream.respond(200, {}, false);
  stream.end(Buffer.from(text));
};
