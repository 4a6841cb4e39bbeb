import type { WorkRecorder } from "@coxswain/client/work";
import type { Chronicle } from "@coxswain/storage/chronicle";

/** The chronicle of a running server. */
export interface History {
  /** Resolves when it can be read: it is opened while the server is serving already. */
  chronicle(): Promise<Chronicle>;
  /** Called after each batch that was recorded. @returns how to end it */
  onRecorded(listener: () => void): () => void;
  /** What controllers of this process work on; undefined: not known. */
  readonly works: WorkRecorder | undefined;
  stop(): Promise<void>;
}
