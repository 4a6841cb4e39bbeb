import { useSignal } from "@preact/signals";
import { app, notify } from "./app-state.js";
import { Button } from "./button.js";
import { closeDialog } from "./dialogs-state.js";
import { Buttons, Modal } from "./modal.js";
import { ProblemBox } from "./problem-box.js";
import { useAttempt } from "./use-attempt.js";

export function DrainDialog({ node }: { readonly node: string }) {
  const failed = useSignal<readonly string[]>([]);
  const { isBusy, problem, attempt } = useAttempt();
  const run = async (): Promise<void> => {
    const result = await app().worker.call("drain", { node });
    failed.value = result.failed;
    notify(`${node}: ${result.evicted} pods evicted`);
    if (result.failed.length === 0) closeDialog();
  };
  return (
    <Modal title={`Drain ${node}?`}>
      <p>
        No new pods are put on it, and those on it are evicted, except those of DaemonSets. Disruption budgets are kept.
        Pods without a controller do not come back.
      </p>
      {problem.value && <ProblemBox problem={problem.value} />}
      {failed.value.length > 0 && (
        <ul class="bad" role="alert">
          {failed.value.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
      <pre tabIndex={0}>kubectl drain {node} --ignore-daemonsets --delete-emptydir-data --force</pre>
      <Buttons close="Cancel">
        <Button class="danger filled" disabled={isBusy.value} onClick={() => void attempt(run)}>
          Drain
        </Button>
      </Buttons>
    </Modal>
  );
}
