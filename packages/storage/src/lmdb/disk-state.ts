import type { Logger } from "@coxswain/runtime/log";
import { StoreError } from "../contract/store-error.js";
import { storeErrorOf } from "./commit-error.js";
import type { DiskReserve } from "./disk-reserve.js";

/** Whether the disk is full, until there is room again, or has failed, for good. */
export class DiskState {
  readonly #reserve: DiskReserve;
  readonly #log: Pick<Logger, "warn">;
  #full = false;
  #failed: StoreError | undefined;

  constructor(reserve: DiskReserve, log: Pick<Logger, "warn">) {
    this.#reserve = reserve;
    this.#log = log;
  }

  get full(): boolean {
    return this.#full;
  }

  get failed(): StoreError | undefined {
    return this.#failed;
  }

  refuseIfFailed(): void {
    if (this.#failed) throw new StoreError("read-only", this.#failed.message, { cause: this.#failed });
  }

  /** Classifies the error of a write and remembers it for those that follow. */
  async noteError(err: unknown, what: string): Promise<StoreError> {
    const error = await this.errorOf(err, what);
    if (error.reason === "full") {
      if (!this.#full) this.#log.warn(error.message);
      this.#full = true;
      this.#reserve.release();
    } else if (this.#failed === undefined) {
      this.#failed = error;
      this.#log.warn(error.message);
    }
    return error;
  }

  errorOf(err: unknown, what: string): Promise<StoreError> {
    return storeErrorOf(err, what, () => this.#reserve.isDiskFull());
  }

  /** For a write that grows the store. @throws StoreError "full" while the disk is */
  async leaveFull(): Promise<void> {
    if (!this.#full) return;
    if (!(await this.#reserve.acquire()))
      throw new StoreError(
        "full",
        "the disk is still full. Nothing was written; deletes still work. Free some space and try again",
      );
    this.#full = false;
    this.#log.warn("there is room on the disk again; writing goes on");
  }
}
