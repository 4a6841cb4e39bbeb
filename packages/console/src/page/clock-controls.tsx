import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { spanOf } from "../contract/filter.js";
import { app } from "./app-state.js";
import { Button } from "./button.js";
import { useAttempt } from "./use-attempt.js";

const spans = ["1s", "10s", "1m", "10m", "1h", "24h"] as const;

/** Of a test's cluster, whose time stands still until somebody lets it pass. */
export function ClockControls() {
  const time = useSignal<number | undefined>(undefined);
  const { isBusy, problem, attempt } = useAttempt();
  const advance = (advanceMs: number): Promise<void> =>
    attempt(async () => void (time.value = (await app().worker.call("clock", { advanceMs })).now));
  useEffect(() => void advance(0), []);
  return (
    <span class="clock" role="group" aria-label="Clock of the cluster">
      <time>{time.value === undefined ? "" : new Date(time.value).toISOString().slice(0, 19).replace("T", " ")}</time>
      {problem.value && <span class="bad">{problem.value.message}</span>}
      {spans.map((span) => (
        <Button
          key={span}
          class="quiet"
          disabled={isBusy.value}
          title={`Let ${span} pass`}
          onClick={() => void advance(spanOf(span) ?? 0)}
        >
          +{span}
        </Button>
      ))}
    </span>
  );
}
