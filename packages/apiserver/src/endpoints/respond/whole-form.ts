import { decodeJson } from "@coxswain/apimachinery/json";
import { createNode, typeCodes } from "@coxswain/apimachinery/schema";
import type { ListAnswer } from "../../server/answer.js";
import type { Form, ListText } from "./form.js";
import { listChunks } from "./list-chunks.js";
import { concat } from "./text.js";

const anything = createNode(typeCodes.json);
const nothing = new Uint8Array(0);

/** Another writing of what a JSON form says, made from the whole answer: people ask for small ones. Watches stay as they are. */
export function createWholeForm(form: Form, { contentType, rewrite }: { contentType: string; rewrite(value: unknown): Uint8Array }): Form {
  const rewritten = (bytes: Uint8Array): Uint8Array => rewrite(decodeJson(bytes, anything).object);
  return {
    ...form,
    plain: form,
    contentType,
    object: (kind, bytes) => rewritten(form.object(kind, bytes)),
    status: (status) => rewritten(form.status(status)),
    list(answer): ListText {
      const text = rewritten(wholeList(form, answer));
      return { before: () => text, item: () => {}, separator: nothing, after: nothing, sized: false, mark: undefined };
    },
  };
}

/** The text of a list in one piece. A chunk is only good until the one after the next is made. */
export const wholeList = (form: Form, answer: ListAnswer): Uint8Array => concat(...Array.from(listChunks(answer, form.list(answer)), (chunk) => Uint8Array.from(chunk)));
