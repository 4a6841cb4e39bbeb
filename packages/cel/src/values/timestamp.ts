import { trimEndOf } from "@coxswain/apimachinery/text";
import { CelError, Duration, Timestamp, type Value } from "./value.js";

/** The first and last second that a timestamp may have: years 1 to 9999. */
const minSeconds = -62135596800;
const maxSeconds = 253402300799;

const isTimestampInRange = (seconds: number): boolean => seconds >= minSeconds && seconds <= maxSeconds;

export const timestampOf = (seconds: number, nanoseconds: number, offset = 0): Value =>
  isTimestampInRange(seconds) ? new Timestamp(seconds, nanoseconds, offset) : new CelError("timestamp overflow");

/** RFC 3339 at the offset it was written with, with as many decimals as it takes. */
export function formatTimestamp({ seconds, nanoseconds, offset }: Timestamp): string {
  const date = new Date((seconds + offset) * 1000).toISOString();
  const fraction = nanoseconds === 0 ? "" : `.${trimEndOf(String(nanoseconds).padStart(9, "0"), "0")}`;
  return `${date.slice(0, 19)}${fraction}${formatOffset(offset)}`;
}

function formatOffset(offset: number): string {
  if (offset === 0) return "Z";
  const minutes = Math.trunc(Math.abs(offset) / 60);
  const two = (value: number): string => String(value).padStart(2, "0");
  return `${offset < 0 ? "-" : "+"}${two(Math.trunc(minutes / 60))}:${two(minutes % 60)}`;
}

export function addDuration({ seconds, nanoseconds, offset }: Timestamp, duration: bigint): Value {
  const total = BigInt(seconds) * 1_000_000_000n + BigInt(nanoseconds) + duration;
  const whole = Number(total / 1_000_000_000n);
  const rest = Number(total % 1_000_000_000n);
  return rest < 0 ? timestampOf(whole - 1, rest + 1e9, offset) : timestampOf(whole, rest, offset);
}

export function subtractTimestamps(a: Timestamp, b: Timestamp): Value {
  const difference = (BigInt(a.seconds) - BigInt(b.seconds)) * 1_000_000_000n + BigInt(a.nanoseconds - b.nanoseconds);
  return durationOf(difference, "integer overflow");
}

/** int64 nanoseconds, about 292 years. */
export const durationOf = (nanoseconds: bigint, problem = "duration overflow"): Value =>
  BigInt.asIntN(64, nanoseconds) === nanoseconds ? new Duration(nanoseconds) : new CelError(problem);
