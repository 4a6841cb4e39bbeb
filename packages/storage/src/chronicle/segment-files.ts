/** Where segments are kept: a directory, or the memory of this process. */
export interface SegmentFiles {
  /** Numbers of the segments there are, in order. */
  list(): Promise<readonly number[]>;
  create(number: number): Promise<SegmentFile>;
  open(number: number): Promise<SegmentFile>;
  /** Also its index. */
  remove(number: number): Promise<void>;
  writeIndex(number: number, bytes: Buffer): Promise<void>;
  /** Undefined: there is none. */
  readIndex(number: number): Promise<Buffer | undefined>;
}

export interface SegmentFile {
  readonly bytes: number;
  append(bytes: Buffer): Promise<void>;
  /** Fewer bytes where the segment ends. */
  read(offset: number, length: number): Promise<Buffer>;
  truncate(bytes: number): Promise<void>;
  close(): Promise<void>;
}
