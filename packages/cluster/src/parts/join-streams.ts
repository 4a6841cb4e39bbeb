import type { Duplex } from "node:stream";

/** Passes bytes both ways; the end of one direction leaves the other open, an error or the end of one side ends both. */
export function joinStreams(a: Duplex, b: Duplex): void {
  for (const [one, other] of [
    [a, b],
    [b, a],
  ] as const) {
    one.on("error", () => other.destroy());
    one.once("close", () => other.end());
  }
  a.pipe(b);
  b.pipe(a);
}
