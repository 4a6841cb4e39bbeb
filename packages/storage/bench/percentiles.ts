import type { Measured } from "./contestant.js";

/** `clients` loops side by side until the time is over. `yields`: for what answers within the turn, so that others get theirs. */
export async function measure(
  { clients, seconds, yields = false }: { clients: number; seconds: number; yields?: boolean },
  operate: (client: number, i: number) => Promise<unknown>,
): Promise<Measured> {
  const times: number[] = [];
  const start = performance.now();
  const end = start + seconds * 1000;
  await Promise.all(
    Array.from({ length: clients }, async (_, client) => {
      for (let i = 0; performance.now() < end; i++) {
        const before = performance.now();
        await operate(client, i);
        times.push(performance.now() - before);
        if (yields && i % 64 === 0) await new Promise((resolve) => setImmediate(resolve));
      }
    }),
  );
  const took = (performance.now() - start) / 1000;
  times.sort((a, b) => a - b);
  const at = (part: number): number => times[Math.floor(times.length * part)] ?? 0;
  return { operations: times.length, seconds: took, p50Ms: at(0.5), p99Ms: at(0.99) };
}

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
