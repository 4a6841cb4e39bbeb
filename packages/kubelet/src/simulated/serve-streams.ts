import type { Duplex } from "node:stream";
import { connectedPair } from "../runtime/connected-pair.js";
import type { PortStreams } from "../runtime/container-runtime.js";

/** Gives a server that wants a connection one that is made of streams. Resolves when it is closed. */
export async function serveStreams(
  { incoming, write }: PortStreams,
  serve: (connection: Duplex) => void,
): Promise<void> {
  const [ours, theirs] = connectedPair();
  const closed = new Promise<void>((resolve) => void ours.once("close", resolve));
  ours.on("error", () => {}); // "close" follows
  ours.on("data", write);
  ours.once("end", () => ours.end());
  serve(theirs);
  void forward(incoming, ours);
  await closed;
}

async function forward(incoming: AsyncIterable<Uint8Array>, to: Duplex): Promise<void> {
  try {
    for await (const chunk of incoming) if (!to.write(chunk)) await writable(to);
    to.end();
  } catch {
    to.destroy(); // the client has left
  }
}

const writable = (to: Duplex): Promise<void> =>
  new Promise((resolve) => {
    to.once("drain", resolve);
    to.once("close", resolve);
  });
