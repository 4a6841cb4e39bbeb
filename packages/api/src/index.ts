export type { DeepReadonly } from "./types/index.js";
export type {
  Base64,
  Duration,
  FieldsV1,
  IntOrString,
  JsonValue,
  MicroTime,
  Quantity,
  RawExtension,
  Time,
} from "./scalars/index.js";
