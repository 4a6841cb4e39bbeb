import type { ListAnswer } from "../../request/answer.js";
import type { Form } from "../../request/form.js";
import { listChunks } from "./list-chunks.js";

/** Another encoding of a JSON form. Watches stay as they are. */
export const createWholeForm = (
  form: Form,
  {
    contentType,
    rewrite,
    list,
  }: {
    contentType: string;
    /** Of an object or a status, in one piece. */
    rewrite(bytes: Uint8Array): Uint8Array;
    /** Item by item: a list may be as long as the store. */
    list: Form["list"];
  },
): Form => ({
  ...form,
  plain: form,
  contentType,
  object: (kind, bytes) => rewrite(form.object(kind, bytes)),
  status: (status) => rewrite(form.status(status)),
  list,
});

/** The text of a list in one piece. A chunk is only good until the one after the next is made. */
export const wholeList = (form: Form, answer: ListAnswer): Uint8Array =>
  Buffer.concat(
    Array.from(listChunks(answer, form.list(answer)), (chunk) =>
      typeof chunk === "number" ? new Uint8Array(0) : Uint8Array.from(chunk),
    ),
  );
