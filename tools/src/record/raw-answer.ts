import type { Step } from "./case.js";
import type { Json } from "./json.js";

/** An answer as it came: what `${step.…}` refers to, before anything is replaced by a placeholder. */
export interface RawAnswer {
  readonly step: Step;
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** Parsed where it is JSON, else the text; undefined when empty. */
  readonly body?: Json | undefined;
  readonly events?: readonly Json[] | undefined;
}
