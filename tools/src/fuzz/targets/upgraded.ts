import { Duplex } from "node:stream";
import { createSeededRandom } from "@coxswain/runtime/random";
import { createSpdyConnection } from "@coxswain/wire/spdy";
import { createWebSocket } from "@coxswain/wire/websocket";
import { BrokenPromise, bytesOf, type FuzzTarget } from "../fuzz-target.js";

const clock = { now: () => 0, monotonic: () => 0, setTimer: () => ({ cancel() {} }) };
const pause = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A connection that sends these bytes in two pieces and then ends. */
async function feed(socket: Duplex, input: Uint8Array): Promise<void> {
  const cut = Math.floor(input.length / 2);
  for (const part of [input.subarray(0, cut), input.subarray(cut)]) {
    if (socket.destroyed) return;
    if (part.length > 0) socket.push(Buffer.from(part));
    await pause();
  }
  if (!socket.destroyed) socket.push(null);
  await pause();
}

const silentSocket = (): Duplex => new Duplex({ read() {}, write: (_, __, done) => done() });

/** Frames of a WebSocket, as exec and port-forward read them. */
export function webSocketTarget(): FuzzTarget {
  return {
    name: "websocket-frames",
    seeds: ["818537fa213d7f9f4d5158", "8100", "898000000000", "888237fa213d3412", "01837a6b5c4d1b093f8000"].map((hex) =>
      Buffer.from(hex, "hex"),
    ),
    words: [
      "\x81\x80\0\0\0\0",
      "\x82\xfe\x01\0\0\0\0\0",
      "\x82\xff\0\0\0\0\0\0\0\x01\0\0\0\0",
      "\x88\x82\0\0\0\0\x03\xe8",
      "\x80\x80\0\0\0\0",
    ].map(bytesOf),
    async run(input) {
      const socket = silentSocket();
      let messages = 0;
      let closes = 0;
      const connection = createWebSocket(socket, {
        role: "server",
        protocol: "",
        clock,
        random: createSeededRandom(1),
        maxMessageBytes: 1024,
      });
      connection.listen({
        onMessage(data) {
          if (data.length > 1024) throw new BrokenPromise("a message is longer than its limit");
          messages += 1;
        },
        onClose: () => void (closes += 1),
      });
      await feed(socket, input);
      socket.destroy();
      await pause();
      if (closes !== 1) throw new BrokenPromise(`a closed connection was reported ${closes} times`);
      return messages > 0;
    },
  };
}

/** What a client sends that opens two streams and writes to one of them. */
async function spdyConversation(): Promise<Uint8Array> {
  const sent: Buffer[] = [];
  const socket = new Duplex({
    read() {},
    write(chunk: Buffer, _, done) {
      sent.push(chunk);
      done();
    },
  });
  const connection = createSpdyConnection(socket, { role: "client" });
  void connection.createStream(new Map([["streamtype", ["error"]]])).catch(() => {}); // nobody answers
  void connection
    .createStream(
      new Map([
        ["streamtype", ["stdout"]],
        ["port", ["80"]],
      ]),
    )
    .catch(() => {});
  await pause();
  connection.destroy();
  await connection.closed;
  return Buffer.concat(sent);
}

/** Frames of SPDY/3.1, as old kubectl sends them. */
export async function spdyTarget(): Promise<FuzzTarget> {
  const conversation = await spdyConversation();
  return {
    name: "spdy-frames",
    seeds: [
      conversation,
      ...[
        "800300040000000c0000000100000004000003e8",
        "800300060000000400000001",
        "80030003000000080000000100000005",
        "000000010100000568656c6c6f",
      ].map((hex) => Buffer.from(hex, "hex")),
    ],
    words: [
      "\x80\x03\0\x01",
      "\x80\x03\0\x02",
      "\x80\x03\0\x03\0\0\0\x08",
      "\x80\x03\0\x06\0\0\0\x04",
      "\x80\x03\0\x07\0\0\0\x08",
      "\x78\xbb",
    ].map(bytesOf),
    async run(input) {
      const socket = silentSocket();
      let streams = 0;
      const connection = createSpdyConnection(socket, {
        role: "server",
        maxStreams: 10,
        onStream: () => ++streams > 0,
      });
      await feed(socket, input);
      connection.destroy();
      await connection.closed;
      return streams > 0;
    },
  };
}
