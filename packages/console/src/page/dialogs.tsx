import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { ActionDialog } from "./action-dialog.js";
import { closeDialog, dialog } from "./dialogs-state.js";
import { DrainDialog } from "./drain-dialog.js";
import { keyTable } from "./keys.js";
import { MomentDialog } from "./moment-dialog.js";
import { SeeAsDialog } from "./see-as-dialog.js";

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

/** The platform's modal dialog: focus stays inside, Escape closes it. */
export function Modal({
  title,
  wide,
  children,
}: {
  readonly title: string;
  readonly wide?: boolean;
  readonly children: ComponentChildren;
}) {
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => element.current?.showModal(), []);
  return (
    <dialog ref={element} class={`modal${wide ? " wide" : ""}`} aria-labelledby="modal-title" onClose={closeDialog}>
      <h2 id="modal-title">{title}</h2>
      {children}
    </dialog>
  );
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
    <p class="buttons">
      <button type="button" onClick={closeDialog}>
        Close
      </button>
    </p>
  </Modal>
);
