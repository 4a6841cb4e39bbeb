import { expandText } from "./expand.js";
import { bytesOf, fail, type ShellProcess } from "./shell-process.js";
import { inputOf, type Output } from "./streams.js";
import type { Redirect } from "./syntax.js";

interface Redirections {
  stdin?: ShellProcess["stdin"];
  stdout?: Output;
  stderr?: Output;
  /** What a file could not take. */
  failure?: string;
}

/** Applies redirections for the time of `work`. What a file collects is written at each write, so that others see it. */
export async function redirected(
  redirects: readonly Redirect[],
  process: ShellProcess,
  work: (inner: ShellProcess) => Promise<number>,
): Promise<number> {
  if (redirects.length === 0) return work(process);
  const changes: Redirections = {};
  for (const redirect of redirects) {
    const problem = await apply(redirect, changes, process);
    if (problem !== undefined) return fail(process, `sh: ${problem}`, 1);
  }
  const { stdin = process.stdin, stdout = process.stdout, stderr = process.stderr } = changes;
  const code = await work({ ...process, stdin, stdout, stderr });
  return changes.failure === undefined ? code : fail(process, `sh: write error: ${changes.failure}`, 1);
}

/** Returns why it cannot be done. */
async function apply(
  { from, operator, target }: Redirect,
  changes: Redirections,
  process: ShellProcess,
): Promise<string | undefined> {
  const text = await expandText(target, process);
  const redirect = (to: Output): void => {
    if (from === 2) changes.stderr = to;
    else changes.stdout = to;
  };
  const output = (number: number): Output =>
    number === 2 ? (changes.stderr ?? process.stderr) : (changes.stdout ?? process.stdout);
  if (operator === "<<" || operator === "<<<") {
    changes.stdin = inputOf(bytesOf(operator === "<<<" ? `${text}\n` : text));
    return undefined;
  }
  if (operator === ">&") return void redirect(output(Number(text)));
  const path = process.resolve(text);
  if (operator === "<") {
    const content = path === "/dev/null" ? new Uint8Array() : process.files.read(path);
    if (!content) return `can't open ${text}: no such file`;
    changes.stdin = inputOf(content);
    return undefined;
  }
  if (path === "/dev/stdout" || path === "/dev/stderr") return void redirect(output(path === "/dev/stderr" ? 2 : 1));
  const problem = operator === ">>" ? process.files.append(path, noBytes) : process.files.write(path, noBytes);
  if (problem !== undefined) return `can't create ${text}: ${problem}`;
  const write = (chunk: Uint8Array): void => {
    const failure = process.files.append(path, chunk);
    if (failure !== undefined) changes.failure = failure;
  };
  return void redirect({ write, drained: () => undefined });
}

const noBytes = new Uint8Array();
