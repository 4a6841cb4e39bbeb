/** Milliseconds, or a text such as "90s", "15m", "36h", "7d", "1d12h". */
export type TimeSpan = number | string;

const unitMs: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/** @throws Error for a text that is no span of time */
export function spanMs(span: TimeSpan): number {
  if (typeof span === "number") return span;
  const amounts = /^[\d.]+/;
  const units = /^[a-z]+/;
  let sum = 0;
  let rest = span;
  do {
    const amount = amounts.exec(rest)?.[0] ?? "";
    const unit = units.exec(rest.slice(amount.length))?.[0] ?? "";
    const ms = Number(amount) * (unitMs[unit] ?? Number.NaN);
    if (amount === "" || Number.isNaN(ms))
      throw new Error(`${JSON.stringify(span)} is no span of time: write "90s", "15m", "36h" or "7d"`);
    sum += ms;
    rest = rest.slice(amount.length + unit.length);
  } while (rest !== "");
  return sum;
}
