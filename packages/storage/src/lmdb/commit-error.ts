import { isStoreError, StoreError } from "../contract/store-error.js";

const noRoom = new Set(["ENOSPC", "EDQUOT", "MDB_MAP_FULL"]);
const noRoomCodes = new Set([28, 122, -30792]);

/** LMDB reports this too when only a part of a page was written, as on a full disk. */
const inputOutputError = 5;

/** What a failed commit means for its writers. */
export async function storeErrorOf(
  err: unknown,
  what: string,
  isDiskFull: () => Promise<boolean>,
): Promise<StoreError> {
  if (isStoreError(err)) return err;
  const { code, message } =
    err instanceof Error ? (err as Error & { code?: unknown }) : { code: undefined, message: String(err) };
  const full =
    noRoom.has(String(code)) ||
    noRoomCodes.has(Number(code)) ||
    /no space left|MDB_MAP_FULL|quota exceeded/i.test(message);
  if (full || (code === inputOutputError && (await isDiskFull().catch(() => false))))
    return new StoreError(
      "full",
      `${what}: the disk is full. Nothing was written; deletes still work. Free some space and try again`,
      { cause: err },
    );
  return new StoreError(
    "outcome-unknown",
    `${what} failed (${message}): whether it was written is not known, and the store writes no more. Check the disk, then restart`,
    { cause: err },
  );
}
