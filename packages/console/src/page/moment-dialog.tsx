import { useSignal } from "@preact/signals";
import { spanOf } from "../contract/filter.js";
import { app, now } from "./app-state.js";
import { Button } from "./button.js";
import { closeDialog } from "./dialogs-state.js";
import { Text } from "./fields.js";
import { Modal } from "./modal.js";
import { ProblemBox } from "./problem-box.js";
import { param, setParams } from "./route.js";
import { useAttempt } from "./use-attempt.js";

/** Steps of the slider: close together near the present. */
const steps = ["10s", "20s", "30s", "1m", "2m", "5m", "10m", "20m", "30m", "1h", "2h", "4h", "8h", "24h"] as const;

/** Chooses a moment of the past. Any view can be looked at as it was then. */
export function MomentDialog() {
  const step = useSignal(3);
  const revision = useSignal(param("at"));
  const { hasHistory } = app().cluster;
  const back = steps[step.value] ?? "1m";
  const then = new Date(now.value - (spanOf(back) ?? 0));
  const { problem, attempt } = useAttempt();
  const goBack = async (): Promise<void> => {
    show((await app().worker.call("moment", { time: then.toISOString() })).revision);
  };
  const show = (at: string): void => {
    closeDialog();
    setParams({ at });
  };
  return (
    <Modal title="Look at the past">
      {hasHistory ? (
        <label class="slider">
          <span>
            {back} ago, {then.toLocaleTimeString()}
          </span>
          <input
            type="range"
            min="0"
            max={steps.length - 1}
            value={steps.length - 1 - step.value}
            aria-valuetext={`${back} ago`}
            onInput={(event) => (step.value = steps.length - 1 - Number(event.currentTarget.value))}
          />
        </label>
      ) : (
        <p class="muted">
          This server keeps no history, but its store has the last minutes: name a revision (a resourceVersion) of then.
        </p>
      )}
      <form
        class="fields"
        onSubmit={(event) => {
          event.preventDefault();
          show(revision.value);
        }}
      >
        <Text label="Revision" value={revision} inputMode="numeric" pattern="[0-9]*" />
        {problem.value && <ProblemBox problem={problem.value} />}
        <p class="buttons">
          <Button onClick={() => show("")}>Live</Button>
          <button type="submit" disabled={revision.value === ""}>
            Show revision
          </button>
          {hasHistory && (
            <Button class="filled" onClick={() => void attempt(goBack)}>
              Show {back} ago
            </Button>
          )}
        </p>
      </form>
    </Modal>
  );
}
