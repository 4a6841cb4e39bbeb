const unitMs: Readonly<Record<string, number>> = { ns: 1e-6, us: 1e-3, "µs": 1e-3, "μs": 1e-3, ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** Milliseconds of a duration as Go writes it (`1h2m3.5s`, `-5m`, `0`); undefined when it is none. */
export function parseDuration(text: string): number | undefined {
  const [, sign, rest] = /^([+-]?)(.*)$/s.exec(text) ?? [];
  if (rest === "0") return 0;
  if (!rest || !/^(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+$/.test(rest)) return undefined;
  let total = 0;
  for (const [, number, unit] of rest.matchAll(/([\d.]+)([a-zµμ]+)/g)) total += Number(number) * unitMs[unit!]!;
  return sign === "-" ? -total : total;
}
