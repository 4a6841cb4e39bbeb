/** Processes of a cluster: all are stopped together, and the end of one is a failure of all. */
export interface Running {
  add(name: string, process: { readonly ended?: Promise<void>; stop(): Promise<unknown> }): void;
  /** Resolves with a sentence when one ends by itself. */
  readonly broken: Promise<string>;
  /** Rejects with it then, for races. */
  readonly failed: Promise<never>;
  /** The last one first. */
  stop(): Promise<void>;
}

/** @param logs where logs are, for the sentence */
export function createRunning(logs: string): Running {
  const stops: (() => Promise<unknown>)[] = [];
  let isStopping = false;
  let report: (sentence: string) => void = () => {};
  const broken = new Promise<string>((resolve) => (report = resolve));
  const failed = broken.then((sentence) => Promise.reject<never>(new Error(sentence)));
  failed.catch(() => {}); // who races against it reports it
  return {
    broken,
    failed,
    add(name, process) {
      stops.push(() => process.stop());
      void process.ended?.then(() => isStopping || report(`${name} has ended, see the logs in ${logs}`));
    },
    async stop() {
      isStopping = true;
      for (const stop of stops.splice(0).reverse()) await stop();
    },
  };
}
