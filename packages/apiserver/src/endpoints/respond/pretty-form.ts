import type { Form, ListText } from "./form.js";
import type { ListAnswer } from "../../server/answer.js";
import { listChunks } from "./list-chunks.js";
import { concat, utf8 } from "./text.js";

/** JSON for people: indented by two blanks. Lists are made whole, since people ask for small ones. */
export function createPrettyForm(form: Form): Form {
  return {
    ...form,
    object: (kind, bytes) => indented(form.object(kind, bytes)),
    status: (status) => indented(form.status(status)),
    list(answer): ListText {
      return { before: indented(whole(form, answer)), item: () => {}, after: new Uint8Array(0) };
    },
  };
}

function whole(form: Form, answer: ListAnswer): Uint8Array {
  // A chunk is only good until the one after the next is made.
  return concat(...Array.from(listChunks(answer, form.list(answer)), (chunk) => Uint8Array.from(chunk)));
}

const indented = (bytes: Uint8Array): Uint8Array => utf8(`${JSON.stringify(JSON.parse(new TextDecoder().decode(bytes)), null, 2)}\n`);
