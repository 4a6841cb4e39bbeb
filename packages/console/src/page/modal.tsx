import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { Button } from "./button.js";
import { closeDialog } from "./dialogs-state.js";

/** At the end of a dialog, those that do something last. */
export const Buttons = ({ close, children }: { readonly close: string; readonly children?: ComponentChildren }) => (
  <p class="buttons">
    <Button onClick={closeDialog}>{close}</Button>
    {children}
  </p>
);

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
  useLayoutEffect(() => element.current?.showModal(), []);
  return (
    <dialog ref={element} class={`modal${wide ? " wide" : ""}`} aria-labelledby="modal-title" onClose={closeDialog}>
      <h2 id="modal-title">{title}</h2>
      {children}
    </dialog>
  );
}
