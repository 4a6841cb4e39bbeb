/** Changes that came since somebody last looked. */
export interface ChangeQueue {
  add(paths: readonly string[]): void;
  /** Resolves at once where something has changed already. */
  next(): Promise<readonly string[]>;
}

export function createChangeQueue(): ChangeQueue {
  let waiting = new Set<string>();
  let wake = (): void => {};
  return {
    add(paths) {
      for (const path of paths) waiting.add(path);
      wake();
    },
    async next() {
      if (waiting.size === 0) await new Promise<void>((resolve) => void (wake = resolve));
      const paths = [...waiting];
      waiting = new Set();
      return paths;
    },
  };
}
