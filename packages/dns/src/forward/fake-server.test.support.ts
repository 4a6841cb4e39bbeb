import { createSocket } from "node:dgram";
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { decodeMessage, encodeMessage, type Message, type ResourceRecord } from "@coxswain/wire/dns";
import { createFrameReader, withLength } from "./length-frames.js";
import type { NameServer } from "./name-server.js";

export interface FakeServer extends NameServer {
  /** Questions so far, as `udp name`. */
  readonly asked: string[];
  stop(): Promise<void>;
}

/** Each message that it returns is sent; `Uint8Array`s as they are. */
export type FakeAnswer = (query: Message, transport: "udp" | "tcp") => readonly (Message | Uint8Array)[];

/** Another DNS server on a loopback port of its own, by UDP and TCP. */
export async function startFakeServer(answer: FakeAnswer): Promise<FakeServer> {
  const asked: string[] = [];
  const bytesOf = (bytes: Uint8Array, transport: "udp" | "tcp"): Uint8Array[] => {
    const query = decodeMessage(bytes);
    asked.push(`${transport} ${query.questions[0]?.name}`);
    return answer(query, transport).map((one) => (one instanceof Uint8Array ? one : encodeMessage(one)));
  };
  const sockets = new Set<Socket>();
  const tcp = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    const frames = createFrameReader((bytes) => {
      for (const one of bytesOf(bytes, "tcp")) socket.write(withLength(one));
    });
    socket.on("data", (data) => frames.push(data));
  });
  tcp.listen(0, "127.0.0.1");
  await once(tcp, "listening");
  const { port } = tcp.address() as AddressInfo;
  const udp = createSocket("udp4");
  udp.on("message", (bytes, from) => {
    for (const one of bytesOf(bytes, "udp")) udp.send(one, from.port, from.address);
  });
  udp.bind(port, "127.0.0.1");
  await once(udp, "listening");
  return {
    host: "127.0.0.1",
    port,
    asked,
    async stop() {
      for (const socket of sockets) socket.destroy();
      await Promise.all([
        new Promise((resolve) => tcp.close(resolve)),
        new Promise<void>((resolve) => udp.close(() => resolve())),
      ]);
    },
  };
}

export const address = (name: string, text = "192.0.2.1", ttl = 60): ResourceRecord => ({
  name,
  type: "A",
  class: 1,
  ttl,
  address: text,
});

/** An answer of a recursive server. */
export const answerTo = (query: Message, changes: Partial<Message> = {}): Message => ({
  ...query,
  isResponse: true,
  recursionAvailable: true,
  answers: [address(query.questions[0]!.name)],
  edns: undefined,
  ...changes,
});
