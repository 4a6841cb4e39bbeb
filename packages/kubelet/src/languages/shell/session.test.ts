import { testRuntime } from "@coxswain/runtime";
import { createVirtualClock } from "@coxswain/runtime/clock";
import { describe, expect, it } from "vitest";
import { createProcessorShare } from "../processor-share.js";
import { createCgroup, createMachine } from "./cgroup.js";
import { createFileSystem } from "./file-system.js";
import { createDisk, createFileTree } from "./file-tree.js";
import { noNetwork } from "./network.js";
import { runProcess } from "./run-process.js";
import { bytesOf, fail, textOf } from "./shell-process.js";
import { inputFrom } from "./streams.js";
import { Terminal } from "./terminal.js";

/** Keys that a test presses, one after the other. */
function createKeys() {
  const chunks: Uint8Array[] = [];
  let wake = (): void => {};
  let isOver = false;
  const follow = async function* (): AsyncGenerator<Uint8Array> {
    for (;;) {
      const chunk = chunks.shift();
      if (chunk) yield chunk;
      else if (isOver) return;
      else await new Promise<void>((resolve) => (wake = resolve));
    }
  };
  return {
    keys: follow(),
    press: (text: string) => (chunks.push(bytesOf(text)), wake()),
    end: () => ((isOver = true), wake()),
  };
}

const turn = async (): Promise<void> => {
  for (let count = 0; count < 20; count++) await new Promise((resolve) => setImmediate(resolve));
};

/** A shell that somebody sits in; without a terminal it reads a pipe. */
function sitIn({ tty = true } = {}) {
  const clock = createVirtualClock({ startMs: 0 });
  const { keys, press, end } = createKeys();
  let shown = "";
  const screen = { write: (chunk: Uint8Array) => void (shown += textOf(chunk)), drained: () => undefined };
  const terminal = tty ? new Terminal({ keys, screen }) : undefined;
  const cgroup = createCgroup(createMachine(createProcessorShare(turnOnce)));
  const killing = new AbortController();
  const ended = runProcess(["sh"], {
    environment: [],
    session: cgroup.startSession(killing.signal),
    directory: "/",
    around: {
      files: createFileSystem([], createFileTree(createDisk())),
      runtime: testRuntime(1, { clock }),
      hostname: "web-0",
      container: { userId: 0, groupId: 0, command: "nginx", terminate: () => killing.abort(), network: noNetwork },
      stdin: terminal ? terminal.input : inputFrom(keys),
      stdout: terminal?.output ?? screen,
      stderr: terminal?.output ?? screen,
      ...(terminal && { terminal }),
      traps: new Map(),
      unknown: async ([name = ""], process) => fail(process, `sh: ${name}: not found`, 127),
    },
  });
  ended.catch(() => {}); // killed
  return {
    ended,
    terminal,
    end,
    /** Presses keys and returns what is shown since. */
    async type(text: string): Promise<string> {
      shown = "";
      press(text);
      await turn();
      return shown;
    },
    async screen(): Promise<string> {
      await turn();
      return shown;
    },
  };
}
const turnOnce = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("a shell at a terminal", () => {
  it("prompts, echoes what is typed, and runs a line when Enter is pressed", async () => {
    const shell = sitIn();
    expect(await shell.screen()).toBe("/ # ");
    expect(await shell.type("echo hi")).toBe("echo hi");
    expect(await shell.type("\r")).toBe("\r\nhi\r\n/ # ");
  });

  const rows: { name: string; keys: string[]; shown: RegExp }[] = [
    { name: "keeps what a line sets", keys: ["X=1; cd /tmp\r", "echo $X $(pwd)\r"], shown: /\r\n1 \/tmp\r\n\/tmp # $/ },
    { name: "shows exit codes", keys: ["false\r", "echo $?\r"], shown: /\r\n1\r\n\/ # $/ },
    {
      name: "goes on in the next line",
      keys: ["for i in 1 2; do\r", "echo $i\r", "done\r"],
      shown: /\r\n1\r\n2\r\n\/ # $/,
    },
    { name: "waits for the end of a quote", keys: ["echo 'a\r", "b'\r"], shown: /^b'\r\na\r\nb\r\n\/ # $/ },
    { name: "reports what it cannot read", keys: ["fi\r"], shown: /sh: syntax error: unexpected/ },
    { name: "erases by backspace", keys: ["echo ax\x7fb\r"], shown: /\r\nab\r\n\/ # $/ },
    { name: "erases a word", keys: ["echo one two\x17three\r"], shown: /\r\none three\r\n\/ # $/ },
    { name: "inserts where the cursor is", keys: ["echo ac\x1b[Db\r"], shown: /\r\nabc\r\n\/ # $/ },
    { name: "brings the last line back", keys: ["echo one\r", "\x1b[A\r"], shown: /echo one.*\r\none\r\n\/ # $/s },
    { name: "brings back what was typed", keys: ["echo 1\r", "echo 2\x1b[A\x1b[B\r"], shown: /\r\n2\r\n\/ # $/ },
    { name: "drops a line at Ctrl-C", keys: ["echo no\x03", "echo yes\r"], shown: /^echo yes\r\nyes\r\n\/ # $/ },
    {
      name: "gives commands a line to read",
      keys: ["read a b\r", "one two three\r", "echo $b\r"],
      shown: /two three\r\n/,
    },
    { name: "takes what is typed ahead", keys: ["echo 1\recho 2\r"], shown: /1\r\n\/ # 2\r\n\/ # $/ },
    { name: "reports the size of the terminal", keys: ["stty size\r"], shown: /\r\n24 80\r\n/ },
    { name: "reports what it does not have", keys: ["vim\r"], shown: /sh: vim: not found\r\n\/ # $/ },
  ];
  for (const { name, keys, shown } of rows)
    it(name, async () => {
      const shell = sitIn();
      await shell.screen();
      let last = "";
      for (const each of keys) last = await shell.type(each);
      expect(last).toMatch(shown);
    });

  it("ends a command at Ctrl-C, and not itself", async () => {
    const shell = sitIn();
    await shell.type("sleep 100\r");
    expect(await shell.type("\x03")).toBe("^C\r\n/ # ");
    expect(await shell.type("echo $?\r")).toMatch(/130/);
  });

  it("ends at Ctrl-D, and by exit with its code", async () => {
    const first = sitIn();
    await first.screen();
    await first.type("\x04");
    expect(await first.ended).toBe(0);
    const second = sitIn();
    await second.type("exit 3\r");
    expect(await second.ended).toBe(3);
  });

  it("follows the size of the window", async () => {
    const shell = sitIn();
    await shell.screen();
    shell.terminal?.resize({ columns: 132, rows: 43 });
    expect(await shell.type("stty size\r")).toMatch(/43 132/);
  });

  it("shows its prompt again to somebody who attaches later, whose client sends two sizes", async () => {
    const shell = sitIn();
    await shell.screen();
    shell.terminal?.resize({ columns: 81, rows: 25 });
    expect(await shell.screen()).toBe("/ # ");
    shell.terminal?.resize({ columns: 80, rows: 24 });
    expect(await shell.screen()).toBe("/ # \r/ # \x1b[K");
  });

  it("rings at Tab, and takes one as it is where a command reads", async () => {
    const shell = sitIn();
    await shell.screen();
    expect(await shell.type("l\t")).toBe("l\x07");
    await shell.type("\x15read a\r");
    expect(await shell.type("x\ty\r")).toBe("x\ty\r\n/ # ");
  });
});

describe("a shell at a pipe", () => {
  it("runs lines as they come, without prompt and echo, until the input ends", async () => {
    const shell = sitIn({ tty: false });
    expect(await shell.type("X=1; echo a\n")).toBe("a\n");
    expect(await shell.type("echo $X\nif true; then\n")).toBe("1\n");
    expect(await shell.type("echo b; fi\nexit")).toBe("b\n");
    shell.end();
    expect(await shell.ended).toBe(0);
  });
});
