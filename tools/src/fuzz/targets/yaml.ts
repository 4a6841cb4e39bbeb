import { DecodeError, equalJson } from "@coxswain/apimachinery/json";
import { parseYaml, parseYamlDocuments, stringifyYaml } from "@coxswain/apimachinery/yaml";
import { accepts, BrokenPromise, type FuzzTarget, seed, textOf } from "../fuzz-target.js";

/** YAML: what is read is written and read to the same. */
export function yamlTarget(): FuzzTarget {
  return {
    name: "yaml",
    seeds: [
      seed(
        "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  k: |\n    text\n    more\n  l: >-\n    folded\n",
      ),
      seed("a: &x {b: [1, 0x1f, 0o17, 1.5, .inf, ~, yes, 2001-01-01]}\nc: *x\nd: {<<: *x, e: !!str 1}\n"),
      seed("# comment\n%YAML 1.1\n---\n- 'it''s'\n- \"q\\u00e9\\n\"\n- ? k\n  : v\n...\n---\nb: 2\n"),
      seed("a: 547758775877587758.7580\n"),
      seed("- - - a\n  - b\n-\n  - c: d\n    e: f\n"),
    ],
    words: [
      "&a ",
      "*a",
      "<<: ",
      "!!binary ",
      "!!map ",
      "---\n",
      "...\n",
      "? ",
      ": ",
      "- ",
      "|\n",
      ">+2\n",
      "%TAG ! x\n",
      "\t",
      "'",
      "{",
      "[",
      "]",
      "}",
      "#",
      "__proto__: ",
      "&a [*a,*a]",
    ],
    run: (input) =>
      accepts(() => {
        const { value } = parseYaml(input);
        const written = stringifyYaml(value);
        const again = parseYaml(written).value;
        // A float of 2^53 and more is written as Go writes it, like an integer, and is read as one.
        if (!equalJson(again, value) && stringifyYaml(again) !== written)
          throw new BrokenPromise("reading, writing and reading changes the value");
        parseYamlDocuments(textOf(input));
      }, DecodeError),
  };
}
