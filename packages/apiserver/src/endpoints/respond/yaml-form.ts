import { stringifyYaml } from "@coxswain/apimachinery/yaml";
import type { Form } from "./form.js";
import { createWholeForm } from "./whole-form.js";
import { utf8 } from "./text.js";

/** What a JSON form says, as YAML. There are no watches in it. */
export const createYamlForm = (form: Form): Form => createWholeForm(form, { contentType: "application/yaml", rewrite: (value) => utf8(stringifyYaml(value)) });
