import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { spanOf } from "../contract/filter.js";
import { app, notify } from "./app-state.js";
import { problemIn } from "./worker-client.js";

const spans = ["1s", "10s", "1m", "10m", "1h", "24h"] as const;

/** Of a test's cluster, whose time stands still until somebody lets it pass. */
export function ClockControls() {
  const time = useSignal<number | undefined>(undefined);
  const isBusy = useSignal(false);
  const advance = async (advanceMs: number): Promise<void> => {
    isBusy.value = true;
    try {
      time.value = (await app().worker.call("clock", { advanceMs })).now;
    } catch (error) {
      notify(problemIn(error).message, "bad");
    }
    isBusy.value = false;
  };
  useEffect(() => void advance(0), []);
  return (
    <span class="clock" role="group" aria-label="Clock of the cluster">
      <time>{time.value === undefined ? "" : new Date(time.value).toISOString().slice(0, 19).replace("T", " ")}</time>
      {spans.map((span) => (
        <button
          key={span}
          type="button"
          class="quiet"
          disabled={isBusy.value}
          title={`Let ${span} pass`}
          onClick={() => void advance(spanOf(span) ?? 0)}
        >
          +{span}
        </button>
      ))}
    </span>
  );
}
