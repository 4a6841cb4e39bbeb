export { playCase } from "./player.js";
export type { PlayAnswer, PlayOptions, PlayRequest, Requester } from "./player.js";
export type { Case, ServerSettings, Step } from "./case.js";
export type { RecordedAnswer, Recording } from "./answer.js";
export { groupBySettings, readCase, readCases, readRecording, recordingPath } from "./case-files.js";
export type { CaseFile } from "./case-files.js";
export { findDifferences, formatDifference } from "./differences.js";
export type { Difference } from "./differences.js";
export { createHttpsRequester } from "./https-requester.js";

export { normalise } from "./normalise.js";
export { formatJson } from "./format-json.js";
export type { Json, JsonObject } from "./json.js";
