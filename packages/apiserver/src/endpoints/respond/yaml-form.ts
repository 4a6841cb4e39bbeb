import { decodeJson } from "@coxswain/apimachinery/json";
import { createNode, typeCodes } from "@coxswain/apimachinery/schema";
import { stringifyYaml } from "@coxswain/apimachinery/yaml";
import type { Form } from "../../request/form.js";
import { createWholeForm } from "./whole-form.js";
import { utf8 } from "./text.js";

const anything = createNode(typeCodes.json);

/** What a JSON form says, as YAML. There are no watches in it. */
export const createYamlForm = (form: Form): Form =>
  createWholeForm(form, {
    contentType: "application/yaml",
    rewrite: (bytes) => utf8(stringifyYaml(decodeJson(bytes, anything).object)),
  });
