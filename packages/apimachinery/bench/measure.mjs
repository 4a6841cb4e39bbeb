/**
 * Microseconds per call of each, by name. The rounds take turns, so that a busy machine slows all alike,
 * and the best round counts: whatever else runs can only make it slower.
 */
export function measureAll(works, { rounds = 100, calls = 150 } = {}) {
  const names = Object.keys(works);
  for (const name of names) for (let i = 0; i < calls * 30; i++) works[name]();
  const best = Object.fromEntries(names.map((name) => [name, Infinity]));
  for (let round = 0; round < rounds; round++) {
    for (const name of names) {
      const work = works[name];
      const start = performance.now();
      for (let i = 0; i < calls; i++) work();
      best[name] = Math.min(best[name], ((performance.now() - start) * 1000) / calls);
    }
  }
  return best;
}

/** Prints each with its multiple of `unit`. */
export function report(results, unit) {
  for (const [name, micros] of Object.entries(results)) {
    console.log(`${name.padEnd(44)} ${micros.toFixed(2).padStart(8)} µs  ${(micros / unit).toFixed(2).padStart(6)} ×`);
  }
}
