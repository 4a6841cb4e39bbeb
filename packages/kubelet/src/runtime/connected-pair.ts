import { type Duplex, duplexPair } from "node:stream";

/**
 * The two ends of a connection inside this process. When one is closed, however that came, the other one reads to the end what was
 * sent and is closed too, as the ends of a socket are. `duplexPair` alone leaves it open before Node 24.
 */
export function connectedPair(): [Duplex, Duplex] {
  const [a, b] = duplexPair();
  a.once("close", () => hangUp(b));
  b.once("close", () => hangUp(a));
  return [a, b];
}

function hangUp(end: Duplex): void {
  if (end.destroyed) return;
  if (end.readableEnded) return void end.destroy();
  end.once("end", () => end.destroy());
  end.push(null);
}
