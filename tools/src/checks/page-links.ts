import { posix } from "node:path";

const relativeLink = /\]\((?!https?:|mailto:|#)([^)\s#]+)(?:#[^)\s]*)?\)/g;

/** A link of a page to a file of the repository that is not there, which is how pages that were not kept show first. */
export function checkPageLinks(
  { path, text }: { readonly path: string; readonly text: string },
  exists: (path: string) => boolean,
): string[] {
  let isCode = false;
  return text.split("\n").flatMap((line, at) => {
    if (line.startsWith("```")) isCode = !isCode;
    if (isCode) return [];
    return [...line.replace(/`[^`]*`/g, "").matchAll(relativeLink)]
      .map(([, target = ""]) => posix.join(posix.dirname(path), target))
      .filter((target) => !exists(target))
      .map((target) => `${path}:${at + 1} links to ${target}, which does not exist: link to what replaced it.`);
  });
}
