import { codeLines } from "./code-lines.js";
import type { SourceFile } from "./source-files.js";

/**
 * Members named by users are reached by getOwn and setOwn (`__proto__` is a legal ConfigMap key). The compiler sees to it
 * where maps are `UserMap`s; this rule catches the two ways around it: indexing a labels, annotations, data or selector map
 * with a computed key, and casting a UserMap to something that can be indexed.
 */
const indexed =
  /\b(labels|annotations|matchLabels|nodeSelector|binaryData|stringData|hard|requests|limits|capacity|allocatable)\s*(\?\.|!)?\[(?!["'\d]|\$\{)/;
const cast = /\bas\s+(unknown\s+as\s+)?Record<string,[^>]*>\)\[(?!["'])/;

export function checkOwnMembers(file: SourceFile): string[] {
  if (file.isTest || file.package === "tools" || file.path.startsWith("packages/apimachinery/src/own/")) return [];
  return codeLines(file.text)
    .filter(({ code }) => indexed.test(code) || cast.test(code))
    .map(
      ({ number }) =>
        `${file.path}:${number} indexes a map whose members users name: read with getOwn, write with setOwn (@coxswain/apimachinery/own).`,
    );
}
