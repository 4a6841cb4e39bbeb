import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "@coxswain/runtime/clock";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { LogOptions } from "../runtime/container-runtime.js";
import { readLastOutput } from "./last-output.js";
import { readLog } from "./read-log.js";

let directory = "";
let path = "";
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "logs-"));
  path = join(directory, "0.log");
});
afterEach(() => rmSync(directory, { recursive: true }));

const line = (text: string, second = 0, tag = "F"): string =>
  `2026-01-01T00:00:${String(second).padStart(2, "0")}.000000001Z stdout ${tag} ${text}\n`;
const write = (...lines: string[]): void => appendFileSync(path, lines.join(""));

/** Reads until it is stopped; `seen` resolves when a line is there. */
function follow(options: Partial<LogOptions> = {}) {
  const [exited, ending] = [new AbortController(), new AbortController()];
  const lines: string[] = [];
  let wake = (): void => {};
  const done = (async () => {
    const request = { path, options: { follow: true, ...options }, ioClock: systemClock };
    for await (const { content, isPartial } of readLog({ ...request, exited: exited.signal, signal: ending.signal })) {
      lines.push(`${Buffer.from(content).toString()}${isPartial ? "…" : ""}`);
      wake();
    }
  })();
  return {
    lines,
    done,
    exit: () => exited.abort(),
    leave: () => ending.abort(),
    async seen(text: string): Promise<void> {
      while (!lines.includes(text)) await new Promise<void>((resolve) => (wake = resolve));
    },
  };
}
async function read(options: Partial<LogOptions> = {}): Promise<string> {
  const never = new AbortController().signal;
  const request = { path, options: { follow: false, ...options }, ioClock: systemClock, exited: never, signal: never };
  let text = "";
  for await (const { content, isPartial } of readLog(request))
    text += Buffer.from(content).toString() + (isPartial ? "…" : " ");
  return text;
}

describe("reading a log", () => {
  const five = ["a", "b", "c", "d", "e"].map((text, i) => line(text, i)).join("");
  const cases = [
    { name: "all of it", text: five, options: {}, found: "a b c d e " },
    { name: "the last lines", text: five, options: { tail: 2 }, found: "d e " },
    { name: "more lines than there are", text: five, options: { tail: 9 }, found: "a b c d e " },
    { name: "no lines", text: five, options: { tail: 0 }, found: "" },
    { name: "lines since a time", text: five, options: { sinceMs: Date.UTC(2026, 0, 1, 0, 0, 3) }, found: "d e " },
    {
      name: "the last lines, of those the ones since a time",
      text: five,
      options: { tail: 1, sinceMs: Date.UTC(2027, 0) },
      found: "",
    },
    {
      name: "parts of a line count as lines of the tail",
      text: line("a") + line("b", 0, "P") + line("c"),
      options: { tail: 2 },
      found: "b…c ",
    },
    { name: "an unfinished line is read", text: five + line("f").slice(0, -1), options: {}, found: "a b c d e f…" },
    {
      name: "an unfinished line is not one of the last",
      text: five + line("f").slice(0, -1),
      options: { tail: 1 },
      found: "e ",
    },
    { name: "an empty file", text: "", options: { tail: 3 }, found: "" },
  ];
  for (const { name, text, options, found } of cases)
    it(name, async () => {
      writeFileSync(path, text);
      expect(await read(options)).toBe(found);
    });

  it("the last lines of a file of many blocks", async () => {
    const many = Array.from({ length: 20_000 }, (_, i) => line(`line ${i}`));
    writeFileSync(path, many.join(""));
    expect(await read({ tail: 3 })).toBe("line 19997 line 19998 line 19999 ");
    expect((await read({ tail: 15_000 })).split("line ").length).toBe(15_001);
  });
  it("a symbolic link is refused", async () => {
    writeFileSync(join(directory, "secret"), line("secret"));
    symlinkSync("secret", path);
    await expect(read()).rejects.toThrow(`failed to open log file "${path}": it is a symbolic link`);
  });
  it("a log that is not there", async () => {
    await expect(read()).rejects.toThrow(`failed to open log file "${path}": no such file or directory`);
  });
  it("a directory is no log", async () => {
    mkdirSync(path);
    await expect(read()).rejects.toThrow("it is no regular file");
  });
});

describe("following a log", () => {
  it("goes on until the container has exited", async () => {
    write(line("a"));
    const reader = follow();
    await reader.seen("a");
    write(line("b"));
    await reader.seen("b");
    write(line("c"));
    reader.exit();
    await reader.done;
    expect(reader.lines).toEqual(["a", "b", "c"]);
  });
  it("begins with the last lines", async () => {
    write(line("a"), line("b"));
    const reader = follow({ tail: 1 });
    await reader.seen("b");
    reader.exit();
    await reader.done;
    expect(reader.lines).toEqual(["b"]);
  });
  it("goes on in the new file, and loses no line that was written into the old one after it was renamed", async () => {
    write(line("a"));
    const reader = follow();
    await reader.seen("a");
    renameSync(path, `${path}.1`);
    appendFileSync(`${path}.1`, line("b"));
    writeFileSync(path, "");
    await reader.seen("b");
    appendFileSync(`${path}.1`, line("c"));
    write(line("d"));
    await reader.seen("d");
    reader.exit();
    await reader.done;
    expect(reader.lines).toEqual(["a", "b", "c", "d"]);
  });
  it("reads a file that was truncated from its beginning", async () => {
    write(line("a"), line("b"));
    const reader = follow();
    await reader.seen("b");
    truncateSync(path);
    write(line("c"));
    await reader.seen("c");
    reader.exit();
    await reader.done;
    expect(reader.lines).toEqual(["a", "b", "c"]);
  });
  it("a container that has exited is not waited for", async () => {
    write(line("a"));
    const reader = follow();
    reader.exit();
    await reader.done;
    expect(reader.lines).toEqual(["a"]);
  });
  it("ends when nobody reads any more", async () => {
    write(line("a"));
    const reader = follow();
    await reader.seen("a");
    reader.leave();
    await reader.done;
  });
});

it("the last output is cut to its end", async () => {
  write(line("first"), line("second", 0, "P"), line("third"));
  const limits = { lines: 80, bytes: 2048, ioClock: systemClock };
  expect(await readLastOutput(path, limits)).toBe("first\nsecondthird\n");
  expect(await readLastOutput(path, { ...limits, bytes: 6 })).toBe("third\n");
});
