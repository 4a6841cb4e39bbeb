export { writeBackup, type BackupDone, type BackupOptions } from "./write-backup.js";
export { restoreInto, type RestoreDone, type RestoreOptions } from "./restore-into.js";
export type { BackupHeader } from "./backup-format.js";

export { openBackup, type OpenBackup, type RecordPlace } from "./open-backup.js";
