import type { Timer } from "@coxswain/apimachinery/clock";
import type { Logger } from "@coxswain/component/log";
import type { AnyKind } from "@coxswain/kinds";
import type { Selection } from "../cache/selection.js";
import type { ObjectDeps } from "../objects/object-deps.js";

const retryMs = 10_000;
export const everything: Selection = { namespace: "", name: "", labels: undefined, fields: undefined, id: "" };

export interface Acts {
  readonly kinds: readonly AnyKind[];
  /** Only the object of this name. @default all */
  readonly only?: { readonly namespace: string; readonly name: string };
  /** Reads the world as it is; never runs twice at once. What it throws is logged and tried again. */
  act(): Promise<void>;
  /** What was not done when it failed, for the log. */
  readonly failed: string;
}

/** Acts once what is stored is known, and whenever an object of these kinds changes or goes. */
export function actOnChanges(
  { kinds, only, act, failed }: Acts,
  { feed, clock }: Pick<ObjectDeps, "feed" | "clock">,
  log: Logger,
): { stop(): Promise<void> } {
  const stopping = new AbortController();
  let isWanted = false;
  let running: Promise<void> | undefined;
  let timer: Timer | undefined;

  async function run(): Promise<void> {
    while (isWanted && !stopping.signal.aborted) {
      isWanted = false;
      try {
        await act();
      } catch (error) {
        if (stopping.signal.aborted) return;
        log.warn(failed, { error });
        timer?.cancel();
        timer = clock.setTimer(retryMs, wake);
      }
    }
  }
  function wake(): void {
    isWanted = true;
    running ??= run().finally(() => (running = undefined));
  }
  const watchers = kinds.map((kind) =>
    feed.cacheOf(kind).watch(
      only ? { ...everything, ...only, id: `${only.namespace}/${only.name}` } : everything,
      { now: true, mark: false },
      {
        deliver() {
          wake();
          return undefined;
        },
        bookmark: () => {},
        end: () => {},
      },
    ),
  );
  return {
    async stop() {
      stopping.abort();
      timer?.cancel();
      for (const watcher of watchers) watcher?.stop();
      await running;
    },
  };
}
