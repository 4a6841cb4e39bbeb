import type { ListAnswer } from "../../request/answer.js";
import type { Form, ListText } from "../../request/form.js";
import { listChunks } from "./list-chunks.js";
import { concat } from "./text.js";

const nothing = new Uint8Array(0);

/** Another writing of what a JSON form says, made from the whole answer: people ask for small ones. Watches stay as they are. */
export function createWholeForm(
  form: Form,
  { contentType, rewrite }: { contentType: string; rewrite(bytes: Uint8Array): Uint8Array },
): Form {
  return {
    ...form,
    plain: form,
    contentType,
    object: (kind, bytes) => rewrite(form.object(kind, bytes)),
    status: (status) => rewrite(form.status(status)),
    list(answer): ListText {
      const text = rewrite(wholeList(form, answer));
      return { before: () => text, item: () => {}, separator: nothing, after: nothing, sized: false, mark: undefined };
    },
  };
}

/** The text of a list in one piece. A chunk is only good until the one after the next is made. */
export const wholeList = (form: Form, answer: ListAnswer): Uint8Array =>
  concat(...Array.from(listChunks(answer, form.list(answer)), (chunk) => Uint8Array.from(chunk)));
