import { stringifyJson } from "@coxswain/apimachinery/json";
import type { Form } from "./form.js";
import { createWholeForm } from "./whole-form.js";
import { utf8 } from "./text.js";

/** JSON for people: indented by two blanks. */
export const createPrettyForm = (form: Form): Form => createWholeForm(form, { contentType: form.contentType, rewrite: (value) => utf8(stringifyJson(value, { pretty: true })) });
