export { openLmdbStore, type LmdbStoreOptions } from "./lmdb-store.js";
export { defragmentLmdbDirectory } from "./defragment.js";
export { checkLmdbDirectory, type StoreCheck } from "./check-directory.js";
export type { StoreDamage } from "./store-damage.js";
export { settleLmdbDirectory } from "./settle-directory.js";
export { restoreLmdbDirectory, type RestoreDirectoryOptions } from "./restore-directory.js";
export { lockDirectory, type DirectoryLock } from "./directory-lock.js";

export type { CommitSeam } from "./commit-seam.js";
export type { Formats, Migration } from "./format.js";
