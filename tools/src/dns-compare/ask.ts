import { createSocket } from "node:dgram";
import { once } from "node:events";
import { connect } from "node:net";
import { decodeMessage, encodeMessage, type Message } from "@coxswain/wire/dns";
import type { GeneratedQuestion } from "./generate-questions.js";

const timeoutMs = 10_000;

/** The answer of the server on a loopback port; undefined: none in time. */
export const ask = ({ message, transport }: GeneratedQuestion, port: number): Promise<Message | undefined> =>
  transport === "udp" ? askUdp(message, port) : askTcp(message, port);

function askUdp(message: Message, port: number): Promise<Message | undefined> {
  const socket = createSocket("udp4");
  return new Promise((resolve) => {
    const finish = (answer: Message | undefined): void => {
      clearTimeout(timer);
      socket.close();
      resolve(answer);
    };
    const timer = setTimeout(() => finish(undefined), timeoutMs);
    socket.once("message", (bytes) => finish(decodeMessage(bytes)));
    socket.once("error", () => finish(undefined));
    socket.send(encodeMessage(message), port, "127.0.0.1");
  });
}

async function askTcp(message: Message, port: number): Promise<Message | undefined> {
  const socket = connect({ port, host: "127.0.0.1", timeout: timeoutMs });
  try {
    await once(socket, "connect");
    const bytes = encodeMessage(message);
    const length = Buffer.alloc(2);
    length.writeUInt16BE(bytes.length);
    socket.write(Buffer.concat([length, bytes]));
    let read = Buffer.alloc(0);
    for await (const piece of socket) {
      read = Buffer.concat([read, piece as Buffer]);
      if (read.length >= 2 && read.length >= 2 + read.readUInt16BE(0))
        return decodeMessage(read.subarray(2, 2 + read.readUInt16BE(0)));
    }
    return undefined;
  } finally {
    socket.destroy();
  }
}
