/** A number with an optional suffix: "100m", "1Gi", "2". */
export type Quantity = string;
/** RFC 3339 in whole seconds: "2026-04-01T12:00:00Z". */
export type Time = string;
/** RFC 3339 with six decimals. */
export type MicroTime = string;
/** As Go writes durations: "1m30s". */
export type Duration = string;
/** A port number or its name, a count or a percentage ("25%"). */
export type IntOrString = number | string;
/** Bytes as base64 text. */
export type Base64 = string;
export type JsonValue = null | boolean | number | string | JsonValue[] | { [name: string]: JsonValue };
/** An object of any kind, kept as it came. */
export type RawExtension = Record<string, unknown>;
/** The set of fields a manager owns, as `managedFields` writes it. */
export type FieldsV1 = Record<string, unknown>;
