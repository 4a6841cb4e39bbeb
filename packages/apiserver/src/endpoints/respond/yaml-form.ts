import { decodeJson } from "@coxswain/apimachinery/json";
import { createNode, typeCodes } from "@coxswain/apimachinery/schema";
import { stringifyYaml } from "@coxswain/apimachinery/yaml";
import type { Form } from "../../request/form.js";
import { rewrittenList } from "./rewritten-list.js";
import { concat, utf8 } from "./text.js";
import { createWholeForm, wholeList } from "./whole-form.js";

const anything = createNode(typeCodes.json);

const read = (json: Uint8Array): unknown => decodeJson(json, anything).object;

/** A JSON form as YAML. There are no watches in it. */
export const createYamlForm = (form: Form): Form =>
  createWholeForm(form, {
    contentType: "application/yaml",
    rewrite: (bytes) => utf8(stringifyYaml(read(bytes))),
    list(answer) {
      const list = form.list(answer);
      if (answer.entries.length === 0) {
        const whole = utf8(stringifyYaml(read(wholeList(form, answer))));
        return { before: () => whole, item() {}, separator: nothing, after: nothing, sized: false, mark: undefined };
      }
      let rest = "";
      return rewrittenList(list, {
        before(json) {
          const { start, end } = aroundItems(concat(json, list.after));
          rest = end;
          return start;
        },
        item: (json) => stringifyYaml([read(json)]), // a list stands as far left as the member that it is of
        after: () => rest,
      });
    },
  });

const nothing = new Uint8Array(0);

/** The text before and behind the items of a list that has none yet. They are its last member in JSON, and stand by their name in YAML. */
function aroundItems(list: Uint8Array): { start: string; end: string } {
  const members = Object.entries(JSON.parse(new TextDecoder().decode(list)) as object);
  const [items = ""] = members.at(-1) ?? [];
  const others = (wanted: (name: string) => boolean): string => {
    const chosen = members.filter(([name]) => wanted(name));
    return chosen.length === 0 ? "" : stringifyYaml(Object.fromEntries(chosen));
  };
  return { start: `${others((name) => name < items)}${items}:\n`, end: others((name) => name > items) };
}
