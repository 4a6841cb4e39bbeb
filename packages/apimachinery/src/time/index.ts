export { canonicalMicroTime, canonicalTime, formatMicroTime, formatTime } from "./format-time.js";
export { type Instant, type ParsedTime, parseMicroTime, parseTime, parseTimeMs } from "./parse-time.js";
export {
  canonicalDuration,
  formatDuration,
  formatDurationMs,
  parseDuration,
  type ParsedDuration,
  parseDurationMs,
} from "./duration.js";
export { humanDuration, shortHumanDuration } from "./human-duration.js";

export { quoteTime } from "./go-time-quote.js";
