/** What happens to the rotated files of a log before the next one. */
export interface RotationPlan {
  /** Left by a rotation that was interrupted, or too old; oldest first, so that readers of newer ones are not disturbed. */
  readonly remove: readonly string[];
  readonly compress: readonly string[];
}

const compressed = ".gz";
const temporary = ".tmp";

/**
 * Pure: of the files `<log>.*`, which go and which are compressed, so that with the log and its successor there are at most
 * `maxFiles` (pkg/kubelet/logs/container_log_manager.go, rotateLog).
 */
export function planRotation(rotated: readonly string[], maxFiles: number): RotationPlan {
  const all = new Set(rotated);
  const isUsed = (name: string): boolean => !name.endsWith(temporary) && !all.has(name + compressed);
  const used = rotated.filter(isUsed).sort();
  const excess = Math.max(0, used.length - Math.max(0, maxFiles - 2));
  return {
    remove: [...rotated.filter((name) => !isUsed(name)), ...used.slice(0, excess)],
    compress: used.slice(excess).filter((name) => !name.endsWith(compressed)),
  };
}

/** The name that a log gets when it is rotated: with the time, so that names sort by age. */
export function rotatedName(log: string, now: number): string {
  const digits = new Date(now).toISOString().replace(/[-:]/g, "");
  return `${log}.${digits.slice(0, 8)}-${digits.slice(9, 15)}`;
}
