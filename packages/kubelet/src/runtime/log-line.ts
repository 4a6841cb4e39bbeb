export interface LogOptions {
  readonly follow: boolean;
  /** Only so many of the last lines. */
  readonly tail?: number;
  /** Only lines from this time on. */
  readonly sinceMs?: number;
}

export interface LogLine {
  /** RFC 3339 with nanoseconds, as the runtime wrote it. */
  readonly time: string;
  /** The same in milliseconds. */
  readonly at: number;
  readonly stream: "stdout" | "stderr";
  /** Without the newline; whatever bytes the program wrote. */
  readonly content: Uint8Array;
  /** The line goes on in the next one of its stream. */
  readonly isPartial?: boolean;
}
