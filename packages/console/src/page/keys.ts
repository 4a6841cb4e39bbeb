import { openDialog } from "./dialogs-state.js";
import { openPalette } from "./palette-state.js";
import { address, go } from "./route.js";

/** Whether a key belongs to what is typed into. */
export const isTyping = ({ target }: KeyboardEvent): boolean =>
  target instanceof HTMLElement && (/^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) || target.isContentEditable);

/** Keys that work in every view, as in k9s where it has them. */
export function shellKeys(event: KeyboardEvent): void {
  if ((event.ctrlKey || event.metaKey) && event.key === "k") {
    event.preventDefault();
    return openPalette("");
  }
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return;
  if (event.key === ":") {
    event.preventDefault();
    openPalette("");
  } else if (event.key === "?") openDialog({ kind: "keys" });
  else if (event.key === "0" && address.value.route.view === "table") go(`${location.hash.split("?")[0]}?ns=`);
}

export const keyTable: readonly (readonly [keys: string, what: string])[] = [
  ["Ctrl-K  :", "search everything"],
  ["/", "filter the table"],
  ["j k ↓ ↑", "next, previous row"],
  ["Enter  d", "open the row"],
  ["Space", "select the row"],
  ["e", "edit"],
  ["l", "logs"],
  ["s", "shell"],
  ["Ctrl-D", "delete"],
  ["w", "all columns"],
  ["Ctrl-F6", "out of a terminal"],
  ["Esc", "back"],
  ["?", "this list"],
];
