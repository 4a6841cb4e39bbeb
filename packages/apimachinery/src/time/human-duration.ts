const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

const count = (ms: number, unit: number): number => Math.trunc(ms / unit);
/** `7m30s`, or `7m` where the smaller part is zero. */
const pair = (large: string, small: number, unit: string): string => (small === 0 ? large : `${large}${small}${unit}`);

/** How long ago something was, as the AGE column shows it: two or three figures. A clock up to a second behind is "now". */
export function humanDuration(ms: number): string {
  const seconds = count(ms, second);
  if (seconds < -1) return "<invalid>";
  if (seconds < 0) return "0s";
  if (seconds < 120) return `${seconds}s`;
  const minutes = count(ms, minute);
  if (minutes < 10) return pair(`${minutes}m`, seconds % 60, "s");
  if (minutes < 180) return `${minutes}m`;
  const hours = count(ms, hour);
  if (hours < 8) return pair(`${hours}h`, minutes % 60, "m");
  if (hours < 48) return `${hours}h`;
  const days = Math.trunc(hours / 24);
  if (hours < 24 * 8) return pair(`${days}d`, hours % 24, "h");
  if (hours < 24 * 365 * 2) return `${days}d`;
  const years = Math.trunc(days / 365);
  return hours < 24 * 365 * 8 ? pair(`${years}y`, days % 365, "d") : `${years}y`;
}

/** The same with one unit only. */
export function shortHumanDuration(ms: number): string {
  const seconds = count(ms, second);
  if (seconds < -1) return "<invalid>";
  if (seconds < 0) return "0s";
  if (seconds < 60) return `${seconds}s`;
  if (ms < hour) return `${count(ms, minute)}m`;
  const hours = count(ms, hour);
  if (hours < 24) return `${hours}h`;
  return hours < 24 * 365 ? `${Math.trunc(hours / 24)}d` : `${Math.trunc(hours / 24 / 365)}y`;
}
