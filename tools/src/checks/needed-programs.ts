import { codeLines } from "./code-lines.js";
import type { SourceFile } from "./source-files.js";

/** What looks for a program, or for sources, that `npm ci` does not install, and what starts one. */
const search: readonly RegExp[] = [
  /\b(findKubectl|kubectlMinors|hasEtcd|findEtcd|cachedProgram|cachedOwnProgram|cachedEnvtestProject|goModule|goldenObjects)\(/,
  /\b(spawn|spawnSync|execFile|execFileSync|runProgram)\("(etcd|etcdctl|go|kubectl|kube-\w+|helm|containerd|docker)"/,
];

const helper = /from "(@coxswain\/tools\/needs|(\.\.?\/)+needs\/index\.js|\.\/describe-with\.js)"/;

/**
 * `npm test` passes on a machine that has nothing but Node: a test file that looks for a program declares its suites by
 * `describeWith`, which always registers a test and reports what is missing. A file that registers no test fails the run.
 */
export function checkNeededPrograms(file: SourceFile): string[] {
  if (!file.path.endsWith(".test.ts") || helper.test(file.text)) return [];
  const lines = codeLines(file.text).filter(({ code }) => search.some((pattern) => pattern.test(code)));
  return lines.map(
    ({ number }) =>
      `${file.path}:${number} looks for a program that may not be there: declare the suite by describeWith (@coxswain/tools/needs).`,
  );
}
