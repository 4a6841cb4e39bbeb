import type { Duplex } from "node:stream";

/** Carries bytes both ways, each half until its end. When one side is gone, so is the other. */
export function splice(a: Duplex, b: Duplex): void {
  if (a.destroyed || b.destroyed) {
    a.destroy();
    b.destroy();
    return;
  }
  for (const [from, to] of [
    [a, b],
    [b, a],
  ] as const) {
    from.pipe(to);
    from.on("error", () => to.destroy());
    from.once("close", () => to.destroy());
  }
}
