const units = new Map<string, bigint>([
  ["ns", 1n],
  ["us", 1_000n],
  ["µs", 1_000n],
  ["μs", 1_000n],
  ["ms", 1_000_000n],
  ["s", 1_000_000_000n],
  ["m", 60_000_000_000n],
  ["h", 3_600_000_000_000n],
]);

/** Nanoseconds of a Go duration text, or undefined. */
export function parseDuration(text: string): bigint | undefined {
  const match = /^([+-]?)(0|(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)$/.exec(text);
  if (!match) return undefined;
  const [, sign = "", body = ""] = match;
  if (body === "0") return 0n;
  let total = 0n;
  for (const [, whole = "", fraction = "", unit = ""] of body.matchAll(/(\d*)\.?(\d*)(ns|us|µs|μs|ms|s|m|h)/g)) {
    const scale = units.get(unit) ?? 0n;
    const digits = fraction.slice(0, 18);
    total += BigInt(whole || "0") * scale + (BigInt(digits || "0") * scale) / 10n ** BigInt(digits.length);
  }
  const signed = sign === "-" ? -total : total;
  return signed > 2n ** 63n - 1n || signed < -(2n ** 63n) ? undefined : signed;
}

/** As Go writes it: "1h30m0s", "1.5s", "100ms", "0s". */
export function formatDuration(nanoseconds: bigint): string {
  if (nanoseconds === 0n) return "0s";
  const sign = nanoseconds < 0n ? "-" : "";
  const value = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  if (value < 1_000n) return `${sign}${value}ns`;
  if (value < 1_000_000n) return `${sign}${withFraction(value, 3)}µs`;
  if (value < 1_000_000_000n) return `${sign}${withFraction(value, 6)}ms`;
  const hours = value / 3_600_000_000_000n;
  const minutes = (value / 60_000_000_000n) % 60n;
  const seconds = `${withFraction(value % 60_000_000_000n, 9)}s`;
  if (hours > 0n) return `${sign}${hours}h${minutes}m${seconds}`;
  return minutes > 0n ? `${sign}${minutes}m${seconds}` : `${sign}${seconds}`;
}

function withFraction(value: bigint, places: number): string {
  const unit = 10n ** BigInt(places);
  const fraction = (value % unit).toString().padStart(places, "0").replace(/0+$/, "");
  return fraction === "" ? `${value / unit}` : `${value / unit}.${fraction}`;
}

export function canonicalDuration(text: string): string | undefined {
  const nanoseconds = parseDuration(text);
  return nanoseconds === undefined ? undefined : formatDuration(nanoseconds);
}
