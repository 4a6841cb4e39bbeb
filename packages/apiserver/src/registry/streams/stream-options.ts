import { quoteGo } from "@coxswain/apimachinery/field";
import { badRequest } from "@coxswain/apimachinery/status";
import type { Query } from "../../request/query.js";

/** Of exec and attach. */
export interface CommandOptions {
  readonly container: string;
  readonly stdin: boolean;
  readonly stdout: boolean;
  readonly stderr: boolean;
  readonly tty: boolean;
  /** Of exec only. */
  readonly command: readonly string[];
}

export const readCommandOptions = (query: Query): CommandOptions => ({
  container: query.text("container"),
  stdin: query.flag("stdin") === true,
  stdout: query.flag("stdout") === true,
  stderr: query.flag("stderr") === true,
  tty: query.flag("tty") === true,
  command: query.all("command"),
});

/** What the kubelet is asked for; its names are older than the API's. */
export const commandQuery = ({ stdin, stdout, stderr, tty }: CommandOptions): [string, string][] =>
  Object.entries({ input: stdin, output: stdout, error: stderr, tty }).flatMap(([name, value]): [string, string][] =>
    value ? [[name, "1"]] : [],
  );

/** Each value may be a list. @throws StatusError 400 */
export function readPorts(query: Query): number[] {
  return query.all("ports").flatMap((value) => value.split(",").map(readPort));
}

function readPort(text: string): number {
  const problem = !/^\d+$/.test(text) ? "invalid syntax" : Number(text) > 0xffff ? "value out of range" : undefined;
  if (problem !== undefined)
    throw badRequest(`cannot convert to []int32: strconv.ParseUint: parsing ${quoteGo(text)}: ${problem}`);
  return Number(text);
}
