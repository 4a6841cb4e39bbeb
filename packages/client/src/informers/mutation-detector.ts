import { cloneJson, equalJson } from "@coxswain/apimachinery/json";
import type { Clock } from "@coxswain/runtime/clock";
import { slept } from "@coxswain/runtime/wait";

/** Finds readers that change shared objects. It keeps a copy of everything: for debugging only. */
export interface MutationDetector {
  watch(object: object): void;
  /** Compares all with their copies; reports each changed object once. */
  check(): void;
  run(signal: AbortSignal): Promise<void>;
}

export interface MutationDetectorOptions {
  onMutation: (mutation: { readonly before: object; readonly now: object }) => void;
  /** Between two checks, in milliseconds. @default 1,000 */
  intervalMs?: number;
  /** An object is watched this long, in milliseconds. @default 120,000 */
  retainMs?: number;
  clock: Clock;
}

export function createMutationDetector(options: MutationDetectorOptions): MutationDetector {
  const { onMutation, intervalMs = 1000, retainMs = 120_000, clock } = options;
  const watched = new Map<object, { before: object; since: number }>();

  function check(): void {
    const now = clock.monotonic();
    for (const [object, { before, since }] of watched) {
      if (!equalJson(object, before)) {
        watched.delete(object);
        onMutation({ before, now: object });
      } else if (now - since > retainMs) watched.delete(object);
    }
  }

  return {
    watch: (object) => void watched.set(object, { before: cloneJson(object), since: clock.monotonic() }),
    check,
    async run(signal) {
      while (await slept(intervalMs, { clock, signal })) check();
      check();
    },
  };
}
