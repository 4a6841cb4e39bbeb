import type { Duplex } from "node:stream";
import type { EchoContext } from "./echo-context.js";

/** Each datagram is answered by one with its text and who got it (conformance/echo-basic/udpechoserver). */
export function serveUdpEcho(flow: Duplex, context: EchoContext): void {
  flow.on("error", () => {}); // "close" follows
  let rest = Buffer.alloc(0);
  flow.on("data", (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= 2) {
      const length = rest.readUInt16BE(0);
      if (rest.length < 2 + length) return;
      const request = rest.subarray(2, 2 + length).toString();
      rest = rest.subarray(2 + length);
      flow.write(datagram(Buffer.from(JSON.stringify({ request, ...context }))));
    }
  });
  flow.on("end", () => flow.end());
}

function datagram(payload: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(payload.length);
  return Buffer.concat([length, payload]);
}
