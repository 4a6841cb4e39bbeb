/** What is asked of each store, in the same words. */
export type Work =
  | { readonly do: "writes"; readonly clients: number; readonly seconds: number }
  | { readonly do: "gets"; readonly clients: number; readonly seconds: number; readonly count: number }
  | { readonly do: "range"; readonly seconds: number; readonly count: number }
  | { readonly do: "fill"; readonly count: number };

export interface Measured {
  readonly operations: number;
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** A store over a directory of its own. */
export interface Contestant {
  readonly name: string;
  run(work: Work): Promise<Measured | undefined>;
  /** Stops it and measures how long it takes until it answers again, in milliseconds. */
  reopen(): Promise<number>;
  /** Forgets history, then: bytes on disk. */
  compactedBytes(): Promise<number>;
  stop(): Promise<void>;
}

export const prefix = "/registry/configmaps/bench/";
export const valueBytes = 1500;
