import { dialog } from "./dialogs-state.js";
import { keyTable } from "./keys.js";
import { lazyView } from "./lazy-view.js";
import { Buttons, Modal } from "./modal.js";

const ActionDialog = lazyView(async () => (await import("./action-dialog.js")).ActionDialog);
const DrainDialog = lazyView(async () => (await import("./drain-dialog.js")).DrainDialog);
const MomentDialog = lazyView(async () => (await import("./moment-dialog.js")).MomentDialog);
const SeeAsDialog = lazyView(async () => (await import("./see-as-dialog.js")).SeeAsDialog);

export function Dialogs() {
  const open = dialog.value;
  switch (open?.kind) {
    case undefined:
      return null;
    case "keys":
      return <KeysDialog />;
    case "seeAs":
      return <SeeAsDialog />;
    case "moment":
      return <MomentDialog />;
    case "drain":
      return <DrainDialog node={open.node} />;
    case "action":
      return <ActionDialog actions={open.actions} onDone={open.onDone} />;
  }
}

const KeysDialog = () => (
  <Modal title="Keys">
    <dl class="keys">
      {keyTable.map(([keys, what]) => (
        <div key={keys}>
          <dt>
            <kbd>{keys}</kbd>
          </dt>
          <dd>{what}</dd>
        </div>
      ))}
    </dl>
    <Buttons close="Close" />
  </Modal>
);
