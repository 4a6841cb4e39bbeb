import type { Form } from "../../request/form.js";
import { indentJson } from "./indent-json.js";
import { createWholeForm } from "./whole-form.js";
import { utf8 } from "./text.js";

export const createPrettyForm = (form: Form): Form =>
  createWholeForm(form, {
    contentType: form.contentType,
    rewrite: (bytes) => utf8(indentJson(new TextDecoder().decode(bytes))),
  });
