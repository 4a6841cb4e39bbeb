import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { closeDialog } from "./dialogs-state.js";

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
