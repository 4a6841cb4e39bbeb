import { signal } from "@preact/signals";
import type { Action } from "../contract/action.js";
import type { ObjectRef } from "../contract/messages.js";

export type OpenDialog =
  | { readonly kind: "keys" }
  | { readonly kind: "seeAs" }
  | { readonly kind: "moment" }
  | { readonly kind: "drain"; readonly node: string }
  | {
      readonly kind: "action";
      /** One, or the same for several objects. */
      readonly actions: readonly { readonly action: Action; readonly ref: ObjectRef }[];
      /** @param failed how many of the actions */
      readonly onDone?: (failed: number) => void;
    };

export const dialog = signal<OpenDialog | undefined>(undefined);

export const openDialog = (wanted: OpenDialog): void => void (dialog.value = wanted);
export const closeDialog = (): void => void (dialog.value = undefined);
