/** Microseconds per call: the median of eleven rounds after warming up. */
export function measure(work, { rounds = 11, calls = 2_000 } = {}) {
  for (let i = 0; i < calls * 3; i++) work();
  const times = Array.from({ length: rounds }, () => {
    const start = performance.now();
    for (let i = 0; i < calls; i++) work();
    return ((performance.now() - start) * 1000) / calls;
  });
  return times.toSorted((a, b) => a - b)[rounds >> 1];
}

/** One line of a report: microseconds, and how many times the unit. */
export function report(name, micros, unit) {
  console.log(`${name.padEnd(44)} ${micros.toFixed(2).padStart(8)} µs  ${(micros / unit).toFixed(2).padStart(6)} ×`);
}
