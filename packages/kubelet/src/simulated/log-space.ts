/** A log that can do without its oldest lines. */
export interface TrimmedLog {
  readonly bytes: number;
  /** Keeps at most so many bytes, of the newest lines. */
  trim(bytes: number): void;
}

/** The memory that the logs of all containers of a process share. */
export interface LogSpace {
  add(log: TrimmedLog): void;
  remove(log: TrimmedLog): void;
  /** A log became longer by so many bytes; negative: shorter. */
  grow(bytes: number): void;
}

/** Of all logs. */
const spaceBytes = 128 * 1024 * 1024;

/** Where there is no space, the longest log loses half of its lines: who writes little keeps all of it. */
export function createLogSpace(limit = spaceBytes): LogSpace {
  const logs = new Set<TrimmedLog>();
  let used = 0;
  return {
    add: (log) => void logs.add(log),
    remove(log) {
      if (logs.delete(log)) used -= log.bytes;
    },
    grow(bytes) {
      used += bytes;
      // Trimming a log comes back here with less, until there is space.
      if (used <= limit) return;
      let longest: TrimmedLog | undefined;
      for (const log of logs) if (!longest || log.bytes > longest.bytes) longest = log;
      if (longest && longest.bytes > 0) longest.trim(Math.floor(longest.bytes / 2));
    },
  };
}
