/** Something that is not as it was written. */
export interface StoreDamage {
  /** In the directory of the store. */
  readonly file: "data.mdb" | "data.wal";
  /** A sentence. */
  readonly what: string;
  /** Of the object that it concerns, where that is known. */
  readonly key?: string;
  readonly revision?: number;
}
