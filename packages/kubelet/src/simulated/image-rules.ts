import type { BehaviourRules } from "./behaviour.js";

/** Rules for containers by the names of their images. */
export interface ImageRule {
  /** Whole names as pods have them; `*` stands for any text. */
  readonly images: readonly string[];
  readonly rules: BehaviourRules;
}

/** No registry has such a name: RFC 2606 keeps the domain free for ever. */
const impossible = /^[^/]+\.invalid(?::\d+)?\//;

/** Pure: the rules of an image, in their order. */
export function rulesOfImage(image: string, given: readonly ImageRule[]): readonly BehaviourRules[] {
  const found = given.filter(({ images }) => images.some((pattern) => matches(pattern, image)));
  const own: readonly BehaviourRules[] = impossible.test(image) ? [{ fail: "pull" }] : [];
  return [...found.map(({ rules }) => rules), ...own];
}

/** By comparing the parts between stars from left to right: patterns are users' texts, and none takes more than one pass. */
function matches(pattern: string, text: string): boolean {
  const parts = pattern.split("*");
  const [first = "", last = ""] = [parts[0], parts.at(-1)];
  if (parts.length === 1) return pattern === text;
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length) return false;
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = text.indexOf(part, at);
    if (found < 0 || found + part.length > text.length - last.length) return false;
    at = found + part.length;
  }
  return true;
}

/** As containerd reports an image that its registry does not have. */
export const imageNotFound = (image: string): string =>
  `failed to pull and unpack image "${image}": failed to resolve reference "${image}": ${image}: not found`;
