/** What one client does in a random run. Choices are made when it is carried out, so that a run stays sensible when steps are cut out. */
export type Operation =
  | { readonly do: "put"; readonly key: number; readonly expected: Expectation }
  | { readonly do: "delete"; readonly key: number; readonly expected: Expectation }
  | { readonly do: "transaction"; readonly keys: readonly number[]; readonly expected: readonly Expectation[] };

/** What the writer expects: the truth as it knows it, something older, or that the key is not there. */
export type Expectation = "current" | "old" | "none";

/** Operations that run at the same time, then one look at the store. */
export interface Step {
  readonly together: readonly Operation[];
  readonly look: Look;
}

export type Look =
  | { readonly do: "nothing" }
  | { readonly do: "get"; readonly key: number; readonly back: number }
  | {
      readonly do: "range";
      readonly prefix: number;
      readonly start: number;
      readonly limit: number;
      readonly back: number;
    }
  | { readonly do: "history"; readonly key: number }
  | { readonly do: "compact"; readonly back: number }
  | { readonly do: "watch"; readonly prefix: number; readonly back: number }
  | { readonly do: "stop watch"; readonly which: number }
  | { readonly do: "reopen" };

export const keyNames = ["/a/1", "/a/2", "/a/2/x", "/a/3", "/b/1", "/b/2", "/b/\uffff", "/b/\u{10000}", "/c", "/c/"];
export const prefixes = ["", "/", "/a/", "/b/", "/c", "/a/2"];

export type Chance = (below: number) => number;

/** A small generator: the same seed, the same run. */
export function chance(seed: number): Chance {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

export function randomSteps(seed: number, count: number): Step[] {
  const random = chance(seed);
  const key = (): number => random(keyNames.length);
  const expected = (): Expectation => (["current", "current", "current", "none", "old"] as const)[random(5)]!;
  const operation = (): Operation => {
    const kind = random(8);
    if (kind < 4) return { do: "put", key: key(), expected: expected() };
    if (kind < 6) return { do: "delete", key: key(), expected: expected() };
    const keys = [...new Set(Array.from({ length: 2 + random(3) }, key))];
    return { do: "transaction", keys, expected: keys.map(() => (random(6) === 0 ? expected() : "current")) };
  };
  const look = (): Look => {
    const kind = random(24);
    const back = random(3) === 0 ? random(40) : 0;
    if (kind < 6) return { do: "get", key: key(), back };
    if (kind < 12)
      return {
        do: "range",
        prefix: random(prefixes.length),
        start: random(4) === 0 ? key() : -1,
        limit: random(3) === 0 ? 1 + random(4) : 0,
        back,
      };
    if (kind < 14) return { do: "history", key: key() };
    if (kind < 16) return { do: "watch", prefix: random(prefixes.length), back: random(60) };
    if (kind < 17) return { do: "stop watch", which: random(8) };
    if (kind < 18) return { do: "compact", back: random(50) };
    if (kind < 19 && random(4) === 0) return { do: "reopen" };
    return { do: "nothing" };
  };
  return Array.from({ length: count }, () => ({
    together: Array.from({ length: 1 + random(random(3) === 0 ? 6 : 2) }, operation),
    look: look(),
  }));
}
