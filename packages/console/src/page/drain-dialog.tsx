import { useSignal } from "@preact/signals";
import { app, notify } from "./app-state.js";
import { closeDialog } from "./dialogs-state.js";
import { Modal } from "./modal.js";
import { problemIn } from "./worker-client.js";

export function DrainDialog({ node }: { readonly node: string }) {
  const isBusy = useSignal(false);
  const failed = useSignal<readonly string[]>([]);
  const run = async (): Promise<void> => {
    isBusy.value = true;
    try {
      const result = await app().worker.call("drain", { node });
      failed.value = result.failed;
      notify(`${node}: ${result.evicted} pods evicted`);
      if (result.failed.length === 0) closeDialog();
    } catch (error) {
      failed.value = [problemIn(error).message];
    }
    isBusy.value = false;
  };
  return (
    <Modal title={`Drain ${node}?`}>
      <p>
        No new pods are put on it, and those on it are evicted, except those of DaemonSets. Disruption budgets are kept.
      </p>
      {failed.value.length > 0 && (
        <ul class="bad" role="alert">
          {failed.value.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
      <pre tabIndex={0}>kubectl drain {node} --ignore-daemonsets --delete-emptydir-data</pre>
      <p class="buttons">
        <button type="button" onClick={closeDialog}>
          Cancel
        </button>
        <button type="button" class="danger filled" disabled={isBusy.value} onClick={() => void run()}>
          Drain
        </button>
      </p>
    </Modal>
  );
}
