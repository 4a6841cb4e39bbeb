export { recordTransport } from "./record-transport.js";
export { replayTransport } from "./replay-transport.js";
export type { RecordedAnswer, RecordedBody, RecordedExchange, RecordedRequest, Recording } from "./recording.js";
