export type {
  ChangeQuery,
  Chronicle,
  ChronicleChange,
  ChronicleLimits,
  ChronicleReach,
  Gap,
  KeepRules,
  Moment,
} from "./chronicle.js";
export { directoryFiles } from "./directory-files.js";
export { memoryFiles } from "./memory-files.js";
export { type ChronicleOptions, openChronicle, type OpenChronicle } from "./open-chronicle.js";
export type { SegmentFile, SegmentFiles } from "./segment-files.js";
