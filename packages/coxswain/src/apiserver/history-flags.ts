import { join, resolve } from "node:path";
import type { HistoryOptions } from "@coxswain/apiserver";
import { recordWork } from "@coxswain/client/work";
import { defineFlags, FlagError, type OptionsOf } from "@coxswain/component/flags";
import { systemClock } from "@coxswain/runtime/clock";

const mebibyte = 1024 * 1024;
/** Reconciles that `reconciles` shows, at least; with a change its causes are kept for longer. */
const keptWorks = 2000;

/** What is kept of the past: docs/history.md. */
export const historyFlags = defineFlags({
  history: {
    group: "Store",
    type: "boolean",
    help: "Keep the history of all objects for longer than the store does, and serve it as history.coxswain.dev.",
  },
  "history-size": {
    group: "Store",
    type: "integer",
    default: 256,
    min: 8,
    value: "MiB",
    help: "How large the history may become, in MiB; the oldest goes first. With --storage memory at most 32.",
  },
  "history-age": {
    group: "Store",
    type: "duration",
    default: "0s",
    help: "How old the history may become; 0: as old as its size allows.",
  },
});

/** Undefined: none is kept. @throws FlagError */
export function historyFrom(
  { history, historySize, historyAge, dataDir, storage, encryptionProviderConfig }: HistoryFlags,
  given: ReadonlySet<string>,
): HistoryOptions | undefined {
  if (!history) {
    const idle = ["history-size", "history-age"].find((name) => given.has(name));
    if (idle !== undefined) throw new FlagError(`--${idle} must be set with --history`);
    return undefined;
  }
  const isInMemory = storage === "memory";
  return {
    ...(!isInMemory && { directory: join(resolve(dataDir), "history") }),
    works: recordWork({ clock: systemClock, revision: () => 0, most: keptWorks }),
    bytes: (isInMemory ? Math.min(historySize, 32) : historySize) * mebibyte,
    ...(historyAge > 0 && { ageMs: historyAge }),
    // Which resources a configuration encrypts may change while the server runs: with one, no value is in the history.
    ...(encryptionProviderConfig !== undefined && { isEncrypted: () => true }),
  };
}

interface HistoryFlags extends OptionsOf<typeof historyFlags> {
  readonly dataDir: string;
  readonly storage: string;
  readonly encryptionProviderConfig?: string | undefined;
}
