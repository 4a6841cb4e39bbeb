import type { Form } from "../../request/form.js";
import { indentJson, JsonIndenter } from "./indent-json.js";
import { rewrittenList } from "./rewritten-list.js";
import { utf8 } from "./text.js";
import { createWholeForm } from "./whole-form.js";

export const createPrettyForm = (form: Form): Form =>
  createWholeForm(form, {
    contentType: form.contentType,
    rewrite: (bytes) => utf8(indentJson(new TextDecoder().decode(bytes))),
    list(answer) {
      const indenter = new JsonIndenter();
      const feed = (json: Uint8Array): string => indenter.feed(new TextDecoder().decode(json));
      return rewrittenList(form.list(answer), {
        before: feed,
        item: (json, isFirst) => (isFirst ? "" : indenter.feed(",")) + feed(json),
        after: feed,
      });
    },
  });
