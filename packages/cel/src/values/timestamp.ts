import { CelError, Duration, Timestamp, type Value } from "./value.js";

/** The first and last second that a timestamp may have: years 1 to 9999. */
const minSeconds = -62135596800;
const maxSeconds = 253402300799;

export const isTimestampInRange = (seconds: number): boolean => seconds >= minSeconds && seconds <= maxSeconds;

export function timestampOf(seconds: number, nanoseconds: number): Value {
  return isTimestampInRange(seconds) ? new Timestamp(seconds, nanoseconds) : new CelError("timestamp overflow");
}

/** RFC 3339 in UTC, with as many decimals as it takes. */
export function formatTimestamp({ seconds, nanoseconds }: Timestamp): string {
  const date = new Date(seconds * 1000).toISOString();
  const fraction = nanoseconds === 0 ? "" : `.${String(nanoseconds).padStart(9, "0").replace(/0+$/, "")}`;
  // Years of less than four digits do not occur in ISO form beyond the range of timestamps.
  return `${date.slice(0, 19)}${fraction}Z`;
}

export function addDuration({ seconds, nanoseconds }: Timestamp, duration: bigint): Value {
  const total = BigInt(seconds) * 1_000_000_000n + BigInt(nanoseconds) + duration;
  return fromNanoseconds(total);
}

export function subtractTimestamps(a: Timestamp, b: Timestamp): Value {
  const difference = (BigInt(a.seconds) - BigInt(b.seconds)) * 1_000_000_000n + BigInt(a.nanoseconds - b.nanoseconds);
  return durationOf(difference);
}

/** int64 nanoseconds, about 292 years. */
export const durationOf = (nanoseconds: bigint): Value =>
  BigInt.asIntN(64, nanoseconds) === nanoseconds ? new Duration(nanoseconds) : new CelError("duration overflow");

function fromNanoseconds(total: bigint): Value {
  const seconds = total / 1_000_000_000n;
  const rest = total % 1_000_000_000n;
  return rest < 0n ? timestampOf(Number(seconds) - 1, Number(rest) + 1e9) : timestampOf(Number(seconds), Number(rest));
}
