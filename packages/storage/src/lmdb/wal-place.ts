/** Where a record of the write-ahead log stands, or is to stand. */
export interface WalPlace {
  /** Drawn anew whenever the log is begun anew: what lies in the file from earlier times is never taken for new. */
  readonly epoch: number;
  /** The records of an epoch are numbered from 1. */
  readonly sequence: number;
  /** Offset in the file. */
  readonly at: number;
}
