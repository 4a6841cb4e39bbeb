import type { Chronicle } from "@coxswain/storage/chronicle";

/** The chronicle of a running server. */
export interface History {
  /** Resolves when it can be read: it is opened while the server is serving already. */
  chronicle(): Promise<Chronicle>;
  /** Called after each batch that was recorded. @returns how to end it */
  onRecorded(listener: () => void): () => void;
  stop(): Promise<void>;
}
