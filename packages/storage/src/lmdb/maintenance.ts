import type { JournalOwner } from "../local/index.js";
import type { IndexCheckpoint } from "./index-checkpoint.js";
import type { LogEntry } from "./log-record.js";
import type { MaintenanceTask } from "./maintenance-task.js";
import type { Scrub } from "./scrub.js";
import type { StoreMeta } from "./store-meta.js";

export interface MaintenanceOptions {
  readonly checkpoint: IndexCheckpoint;
  readonly scrub: Scrub;
  /** A checkpoint begins when the log has so many changes that the last one does not have, or a quarter of the keys if that is more. */
  readonly changesPerCheckpoint: number;
  /** Changes in the log that the checkpoint on disk does not have. */
  readonly behind: number;
}

/** Which background work is due: checkpoints of the index, and scrubbing what was compacted. */
export class Maintenance {
  readonly #checkpoint: IndexCheckpoint;
  /** In this order: scrubbing waits for the checkpoint. */
  readonly #tasks: readonly MaintenanceTask[];
  readonly #changesPerCheckpoint: number;
  #behind: number;
  /** The disk is full: a step would only need room, too. */
  isPaused = false;
  /** A defragmentation copies the file: its copy follows the log, and not what maintenance changes. */
  isSuspended = false;
  isStopped = false;

  constructor({ checkpoint, scrub, changesPerCheckpoint, behind }: MaintenanceOptions) {
    this.#checkpoint = checkpoint;
    this.#tasks = [checkpoint, scrub];
    this.#changesPerCheckpoint = changesPerCheckpoint;
    this.#behind = behind;
  }

  noteChanges(count: number): void {
    this.#behind += count;
  }

  /** Begins a checkpoint if one is due. */
  plan({ checkpoint, compacted }: StoreMeta, owner: JournalOwner<LogEntry>): void {
    const isLate = this.#behind >= Math.max(this.#changesPerCheckpoint, owner.keys() / 4);
    if ((!isLate && checkpoint >= compacted) || this.#checkpoint.running) return;
    this.#checkpoint.begin(owner.state());
    this.#behind = 0;
  }

  /** The task that has a step to do in a commit that brings the file to the revision `reached`. */
  due(meta: StoreMeta, reached = meta.revision): MaintenanceTask | undefined {
    return this.isPaused || this.isSuspended || this.isStopped
      ? undefined
      : this.#tasks.find((task) => task.due(meta, reached));
  }
}
