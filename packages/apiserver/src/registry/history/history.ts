import type { WorkRecorder } from "@coxswain/client/work";
import type { Runtime } from "@coxswain/runtime";
import { hasStoreReason, type KeyValueStore } from "@coxswain/storage";
import { directoryFiles, memoryFiles, type OpenChronicle, openChronicle } from "@coxswain/storage/chronicle";
import { registryPrefix } from "../../cache/registry-prefix.js";
import type { History } from "../contract/history.js";
import { recordedCauses } from "./causes/recorded-causes.js";
import { keptChanges } from "./kept-changes.js";

/** `--history`: what is kept of the past, and where. */
export interface HistoryOptions {
  /** Of the chronicle's files. @default in memory: gone with the process */
  readonly directory?: string | undefined;
  /** Of all files together. */
  readonly bytes: number;
  /** What is older is deleted, in milliseconds. @default Infinity */
  readonly ageMs?: number | undefined;
  /** Whether the value of a key is encrypted at rest. @default none is */
  readonly isEncrypted?: ((key: string) => boolean) | undefined;
  /** What controllers of this process work on. @default not known: their writes have no causes */
  readonly works?: WorkRecorder | undefined;
}

/** Opens the chronicle and follows the store; nobody waits for it. */
export function startHistory(
  { directory, bytes, ageMs, isEncrypted = () => false, works }: HistoryOptions,
  { store, runtime }: { readonly store: KeyValueStore; readonly runtime: Runtime },
): History {
  const stopping = new AbortController();
  const listeners = new Set<() => void>();
  let watching: Promise<void> = Promise.resolve();
  async function open(): Promise<OpenChronicle> {
    const { revision, compactedRevision } = await store.status();
    const chronicle = await openChronicle({
      files: directory === undefined ? memoryFiles() : await directoryFiles(directory),
      rules: keptChanges(isEncrypted),
      limits: { bytes, ...(ageMs !== undefined && { ageMs }) },
      snapshot: () => store.snapshot(),
      runtime,
      store: { revision, compacted: compactedRevision },
      ...(works && { causesOf: recordedCauses(works) }),
    });
    await new Promise<void>((resolve) => {
      const onProgress = (progress: number): void => {
        if (progress >= revision) resolve();
        for (const listener of listeners) listener();
      };
      watching = follow(chronicle, onProgress)
        .catch((error: unknown) => runtime.log.error("history is no longer recorded", { error }))
        .finally(resolve);
    });
    return chronicle;
  }
  /** Records what the store delivers. What it compacted before that is a gap, and it goes on behind it. */
  async function follow(chronicle: OpenChronicle, onProgress: (progress: number) => void): Promise<void> {
    const onBatch: Parameters<KeyValueStore["watch"]>[1] = (events, progress) => {
      chronicle.record(events, progress);
      onProgress(progress);
    };
    while (!stopping.signal.aborted) {
      try {
        const query = { prefix: registryPrefix, from: chronicle.reach().newest };
        return await store.watch(query, onBatch, stopping.signal);
      } catch (error) {
        if (!hasStoreReason(error, "expired")) throw error;
        const { compactedRevision } = await store.status();
        chronicle.lose(compactedRevision, "the store compacted its log before it was recorded");
      }
    }
  }
  const opened = open();
  opened.catch((error: unknown) => runtime.log.error("the history cannot be opened", { error }));
  return {
    chronicle: () => opened,
    works,
    onRecorded(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async stop() {
      stopping.abort();
      const chronicle = await opened.catch(() => undefined); // logged above
      await watching;
      await chronicle?.close();
    },
  };
}
