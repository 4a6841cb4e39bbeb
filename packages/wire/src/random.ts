/** Chance, passed in. */
export interface RandomBytes {
  /** Cryptographically strong wherever keys or serial numbers are made of them. */
  bytes(length: number): Uint8Array;
}
