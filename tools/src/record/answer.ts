import type { Json } from "./json.js";

/** What a server answered to one step, with everything that differs from run to run replaced by placeholders. */
export interface RecordedAnswer {
  readonly step: string;
  readonly status: number;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** The parsed JSON, or the text where it was not JSON. Members are in the order the server sent them. */
  readonly body?: Json;
  readonly events?: readonly Json[];
}

/** The contents of `<case>.recorded.json`. */
export interface Recording {
  /** What was recorded, for example "v1.36.4". */
  readonly server: string;
  readonly answers: readonly RecordedAnswer[];
}
