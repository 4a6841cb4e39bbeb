import { describe, expect, it } from "vitest";
import { PullQueue } from "./pull-queue.js";

/** Begins pulls that end when their name is called. */
function pulls(most: number) {
  const queue = new PullQueue(most);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const begin = (name: string, signal?: AbortSignal): Promise<void> =>
    queue.run(() => {
      begun.push(name);
      return new Promise((resolve) => ends.set(name, resolve));
    }, signal);
  return { begun, begin, end: (name: string) => ends.get(name)?.() };
}

describe("PullQueue", () => {
  it("begins one after the other, in their order", async () => {
    const { begun, begin, end } = pulls(1);
    const all = ["a", "b", "c"].map((name) => begin(name));
    expect(begun).toEqual(["a"]);
    end("a");
    await all[0];
    expect(begun).toEqual(["a", "b"]);
    end("b");
    await all[1];
    end("c");
    await all[2];
    expect(begun).toEqual(["a", "b", "c"]);
  });

  it("begins as many at once as are allowed", () => {
    const { begun, begin } = pulls(2);
    for (const name of ["a", "b", "c"]) void begin(name);
    expect(begun).toEqual(["a", "b"]);
  });

  it("a pull that is given up while it waits is not begun, and the next one is", async () => {
    const { begun, begin, end } = pulls(1);
    const leaving = new AbortController();
    const first = begin("a");
    const second = begin("b", leaving.signal);
    const third = begin("c");
    leaving.abort(new Error("gone"));
    end("a");
    await first;
    await expect(second).rejects.toThrow("gone");
    end("c");
    await third;
    expect(begun).toEqual(["a", "c"]);
  });
});
