import type { SourceFile } from "./source-files.js";

/** A block comment, or the comments of lines that follow each other. */
const comments = /\/\*[\s\S]*?\*\/|(?:^[ \t]*\/\/.*\n)+|\/\/.*/gm;

/** A file or a folder of a Go module. */
const place = /\.go\b|\b(pkg|cmd|plugin|test)\/\w|\b(k8s\.io|github\.com|golang\.org|gopkg\.in)\//;

/** A comment that has something "as upstream" names where upstream has it, so that a reader can check it. */
export function checkLocatedComments({ path, package: name, isTest, text }: SourceFile): string[] {
  if (isTest || name === "tools") return [];
  return [...text.matchAll(comments)]
    .filter(([comment]) => /\bas upstream\b/i.test(comment) && !place.test(comment))
    .map(({ index, 0: comment }) => {
      const line = text.slice(0, index + comment.search(/\bas upstream\b/i)).split("\n").length;
      return `${path}:${line} has something "as upstream" and not where: add its file and function (pkg/kubelet/prober/worker.go, doProbe).`;
    });
}
