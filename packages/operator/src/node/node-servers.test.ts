import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import type { Handler, RunningServer } from "../serving/index.js";
import { nodeServers } from "./node-servers.js";

const opened: Socket[] = [];
let running: RunningServer | undefined;
const errors: unknown[] = [];
afterEach(async () => {
  for (const socket of opened.splice(0)) socket.destroy();
  errors.length = 0;
  await running?.stop();
});

/** A server that holds at most 64 KiB, and answers with the length of what it got. */
async function start(handler: Handler = ({ body }) => ({ body: `got ${body.length}.` })): Promise<number> {
  const servers = nodeServers({ maxHeldBytes: 64 << 10, onError: (error) => void errors.push(error) });
  running = await servers.listen({ name: "webhook", address: "127.0.0.1:0", handler });
  return running.port;
}

async function send(port: number, length: number, body: string): Promise<Socket> {
  const socket = connect(port, "127.0.0.1").on("error", () => {});
  opened.push(socket);
  await once(socket, "connect");
  socket.write(`POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: ${length}\r\n\r\n${body}`);
  return socket;
}

const answerTo = (socket: Socket): Promise<string> =>
  new Promise((resolve) => {
    let text = "";
    socket.on("data", (chunk: Buffer) => void (text += String(chunk)));
    socket.once("close", () => resolve(/got \d+/.exec(text)?.[0] ?? text));
  });

describe("bodies that never end, at a port that anybody reaches", () => {
  it("are cut, the oldest first, when they are too many together, and others are answered", async () => {
    const port = await start();
    const unfinished: Socket[] = [];
    for (let at = 0; at < 40; at++) unfinished.push(await send(port, 100_000, "x".repeat(8 << 10)));
    await Promise.all(unfinished.slice(0, 30).map((socket) => socket.closed || once(socket, "close")));
    expect(await answerTo(await send(port, 5, "hello"))).toBe("got 5");
    expect(unfinished.at(-1)!.closed).toBe(false);
    expect(errors).toEqual([]);
  });

  it("count for nothing once they are answered", async () => {
    const port = await start();
    for (let at = 0; at < 20; at++) expect(await answerTo(await send(port, 8192, "x".repeat(8192)))).toBe("got 8192");
  });

  it("are no errors when their clients leave; what a handler throws is", async () => {
    const port = await start(() => {
      throw new Error("broken");
    });
    const socket = await send(port, 100_000, "x");
    socket.destroy();
    await once(socket, "close");
    await answerTo(await send(port, 1, "x"));
    expect(errors).toEqual([new Error("broken")]);
  });
});
