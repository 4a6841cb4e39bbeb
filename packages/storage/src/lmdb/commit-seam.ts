/** Everything that becomes durable passes through here; tests put a failing disk, or one that acknowledges too early, in its place. */
export type CommitSeam = (commit: () => Promise<void>, where: "log" | "file") => Promise<void>;
