import type { LogFields } from "@coxswain/runtime/log";
import { describe, expect, it } from "vitest";
import { createLogger, type LoggerOptions } from "./index.js";

const time = "2026-10-01T12:00:00.123Z";
const open = (options: Partial<LoggerOptions> = {}) => {
  const lines: string[] = [];
  return {
    lines,
    log: createLogger({ clock: { now: () => Date.parse(time) }, sink: (line) => void lines.push(line), ...options }),
  };
};
const cycle: { self?: unknown } = {};
cycle.self = cycle;

describe("a log in text", () => {
  const cases: { name: string; message?: string; fields: LogFields; line: string }[] = [
    { name: "a message alone", fields: {}, line: "Serving" },
    {
      name: "fields after it",
      fields: { port: 6443, host: "a.example", secure: true },
      line: "Serving  port=6443 host=a.example secure=true",
    },
    {
      name: "quotes where they are needed",
      fields: { a: "two words", b: "", c: 'x="y"', d: "line\nfeed" },
      line: 'Serving  a="two words" b="" c="x=\\"y\\"" d="line\\nfeed"',
    },
    {
      name: "objects as JSON",
      fields: { a: { b: [1] }, c: null, d: 1n, e: { f: 2n } },
      line: 'Serving  a="{\\"b\\":[1]}" c=null d=1 e="{\\"f\\":\\"2\\"}"',
    },
    {
      name: "an error by its message and causes",
      fields: { error: new Error("no", { cause: new Error("disk") }) },
      line: 'Serving  error="no: disk"',
    },
    { name: "nothing for undefined", fields: { a: undefined }, line: "Serving" },
    { name: "what JSON cannot express", fields: { cycle }, line: 'Serving  cycle="\\"[object Object]\\""' },
    { name: "no line but its own", message: "a\nb\u001B[31m", fields: {}, line: "a\\nb\\u001b[31m" },
  ];
  for (const { name, message = "Serving", fields, line } of cases) {
    it(name, () => {
      const { log, lines } = open();
      log.info(message, fields);
      expect(lines).toEqual([`${time} INFO  ${line}\n`]);
    });
  }

  it("shows stacks from debug on, and colours when asked", () => {
    const { log, lines } = open({ level: "debug", colour: true });
    log.warn("m", { error: new Error("no") });
    expect(lines[0]).toMatch(/ \u001B\[33mWARN \u001B\[0m m {2}error=no\n {4}Error: no\n {8}at /);
  });
});

describe("a log in JSON", () => {
  const cases: { name: string; fields: LogFields; json: unknown }[] = [
    { name: "members in order", fields: { port: 1, error: new Error("no") }, json: { port: 1, error: "no" } },
    {
      name: "does not overwrite its own members",
      fields: { time: 1, level: 2, message: 3 },
      json: { _time: 1, _level: 2, _message: 3 },
    },
    { name: "never fails", fields: { cycle, big: 1n }, json: { cycle: "[object Object]", big: "1" } },
  ];
  for (const { name, fields, json } of cases) {
    it(name, () => {
      const { log, lines } = open({ format: "json" });
      log.error("m", fields);
      expect(JSON.parse(lines[0]!)).toEqual({ time, level: "error", message: "m", ...(json as object) });
    });
  }
});

it("children carry fields and follow the level of the family", () => {
  const { log, lines } = open({ fields: { component: "x" } });
  const child = log.child({ pod: "a" });
  child.debug("unseen");
  log.setLevel("debug");
  child.debug("seen", { pod: "b", n: 1 });
  expect(lines).toEqual([`${time} DEBUG seen  component=x pod=b n=1\n`]);
  expect([child.enabled("debug"), child.enabled("trace")]).toEqual([true, false]);
});
