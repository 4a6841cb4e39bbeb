import {
  type FieldSelector,
  parseFieldSelector,
  parseLabelSelector,
  SelectorError,
} from "@coxswain/apimachinery/selector";
import { accepts, BrokenPromise, type FuzzTarget, seed, textOf } from "../fuzz-target.js";

const labels = { app: "web", tier: "5" };

/** Label selectors: what is written of one is read as the same. */
export function labelSelectorTarget(): FuzzTarget {
  return {
    name: "label-selectors",
    seeds: ["app=web,tier!=db", "app in (a, b),!c,d", "x notin (),y==z", "example.com/a>5,b<6"].map(seed),
    words: ["=", "==", "!=", "!", " in ", " notin ", "(", ")", ",", "<", ">", "example.com/", "in", "notin", " "],
    run: (input) =>
      accepts(() => {
        const selector = parseLabelSelector(textOf(input));
        const again = parseLabelSelector(selector.toString());
        if (again.toString() !== selector.toString())
          throw new BrokenPromise("a selector's text is read as another selector");
        if (again.matches(labels) !== selector.matches(labels))
          throw new BrokenPromise("a selector and the one of its text do not match the same");
      }, SelectorError),
  };
}

/** Field selectors, the same; terms are sorted by their text, in which `==` may be `=`. */
export function fieldSelectorTarget(): FuzzTarget {
  return {
    name: "field-selectors",
    seeds: ["metadata.name=a,spec.nodeName!=b", "a=b\\,c\\=d\\\\", "a==b"].map(seed),
    words: ["=", "==", "!=", ",", "\\,", "\\=", "\\\\", "\\", "metadata.name"],
    run: (input) =>
      accepts(() => {
        const selector = parseFieldSelector(textOf(input));
        const again = parseFieldSelector(selector.toString());
        if (termsOf(again) !== termsOf(selector))
          throw new BrokenPromise("a selector's text is read as another selector");
      }, SelectorError),
  };
}

const termsOf = ({ requirements }: FieldSelector): string =>
  requirements
    .map((term) => JSON.stringify(term))
    .sort()
    .join();
