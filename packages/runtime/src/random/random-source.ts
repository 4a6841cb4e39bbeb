/** Chance, passed in: a seeded source makes a run repeatable. */
export interface RandomSource {
  /** A number in [0, 1). */
  next(): number;
  /** `length` bytes. The system source is cryptographically strong; a seeded one is not. */
  bytes(length: number): Uint8Array;
  /** The same into what is there: nothing is made. */
  drawInto(bytes: Uint8Array): void;
}

/** For those who need nothing else. Cryptographically strong wherever keys or serial numbers are made of them. */
export type RandomBytes = Pick<RandomSource, "bytes">;
