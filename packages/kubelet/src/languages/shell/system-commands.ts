import { type Command, charge, fail, pace, print, type ShellProcess } from "./shell-process.js";

/** What `uname` reports: a machine that does not exist, by its name. */
const machine = { s: "Linux", r: "6.1.0-simulated", v: "#1 SMP simulated by Coxswain", m: "x86_64", o: "GNU/Linux" };

const uname: Command = (args, process) => {
  const flags = args.join("").replace(/-/g, "") || "s";
  const known: Readonly<Record<string, string>> = { ...machine, n: process.hostname };
  const wanted = flags.includes("a") ? [..."snrvmo"] : [..."snrvmo"].filter((letter) => flags.includes(letter));
  print(process, `${wanted.map((letter) => known[letter]).join(" ")}\n`);
  return 0;
};

const ps: Command = (_args, process) => {
  const { command: mainCommand } = process.container;
  const lines = [`1 ${userName(process).padEnd(8)}  0:00 ${mainCommand}`, `7 ${userName(process).padEnd(8)}  0:00 ps`];
  print(process, `PID   USER     TIME  COMMAND\n${lines.map((line) => `    ${line}\n`).join("")}`);
  return 0;
};

const userName = ({ container: { userId } }: ShellProcess): string => (userId === 0 ? "root" : String(userId));

const id: Command = (args, process) => {
  const { userId, groupId } = process.container;
  const name = (number: number): string => (number === 0 ? "0(root)" : String(number));
  const flags = args.join("");
  const shown = flags.includes("u")
    ? flags.includes("n")
      ? userName(process)
      : `${userId}`
    : flags.includes("g") || flags.includes("G")
      ? `${groupId}`
      : `uid=${name(userId)} gid=${name(groupId)} groups=${name(groupId)}`;
  print(process, `${shown}\n`);
  return 0;
};

const whoami: Command = (_args, process) => {
  if (process.container.userId !== 0) return fail(process, `whoami: unknown uid ${process.container.userId}`);
  print(process, "root\n");
  return 0;
};

/** Process 1 is the container's own: it gets the signal as a kubelet sends it. */
const kill: Command = (args, process) => {
  const signal = args.find((arg) => arg.startsWith("-") && arg !== "--")?.replace(/^-(?:s)?(?:SIG)?/, "") ?? "TERM";
  const pids = args.filter((arg) => /^\d+$/.test(arg));
  if (pids.length === 0) return fail(process, "kill: you need to specify whom to kill");
  let code = 0;
  for (const pid of pids) {
    if (pid !== "1") code = fail(process, `kill: can't kill pid ${pid}: No such process`);
    // As the kernel has it: SIGKILL from inside does nothing to the first process.
    else if (signal !== "0" && signal !== "9" && signal !== "KILL") process.container.terminate();
  }
  return code;
};

const chmod: Command = async (args, process) => {
  const [bits = "", ...names] = args.filter((arg) => !/^-[Rfv]+$/.test(arg));
  let code = 0;
  for (const name of names) {
    charge(process, 128);
    await pace(process);
    const path = process.resolve(name);
    const mode = process.files.mode(path);
    if (mode === undefined) {
      if (!process.files.isDirectory(path)) code = fail(process, `chmod: ${name}: No such file or directory`);
      continue;
    }
    const wanted = modeBy(bits, mode);
    if (wanted === undefined) return fail(process, `chmod: invalid mode '${bits}'`);
    const problem = process.files.setMode(path, wanted);
    if (problem !== undefined) code = fail(process, `chmod: ${name}: ${problem}`);
  }
  return code;
};

/** Pure: octal, or clauses as `u+x,go-w`. */
export function modeBy(bits: string, mode: number): number | undefined {
  if (/^[0-7]{1,4}$/.test(bits)) return Number.parseInt(bits, 8) & 0o777;
  let result = mode;
  for (const clause of bits.split(",")) {
    const [, who = "", operator = "", what = ""] = /^([ugoa]*)([-+=])([rwxX]*)$/.exec(clause) ?? [];
    if (operator === "") return undefined;
    const all = who === "" || who.includes("a");
    const places = [
      all || who.includes("u") ? 0o700 : 0,
      all || who.includes("g") ? 0o070 : 0,
      all || who.includes("o") ? 0o007 : 0,
    ];
    const mask = places[0]! | places[1]! | places[2]!;
    const letters =
      (what.includes("r") ? 0o444 : 0) | (what.includes("w") ? 0o222 : 0) | (/[xX]/.test(what) ? 0o111 : 0);
    const set = letters & mask;
    result = operator === "+" ? result | set : operator === "-" ? result & ~set : (result & ~mask) | set;
  }
  return result;
}

const stty: Command = (args, process) => {
  const { terminal } = process;
  if (!terminal) return fail(process, "stty: standard input: Not a tty");
  if (args.includes("size")) print(process, `${terminal.size.rows} ${terminal.size.columns}\n`);
  return 0;
};

const tty: Command = (_args, process) => {
  print(process, process.terminal ? "/dev/pts/0\n" : "not a tty\n");
  return process.terminal ? 0 : 1;
};

/** `timeout 5 command`: the command, ended after so many seconds. */
const timeout: Command = async (args, process) => {
  const rest = [...args];
  while (rest[0]?.startsWith("-")) {
    const flag = rest.shift();
    if (flag === "-s" || flag === "-k") rest.shift();
  }
  const seconds = Number(rest.shift()?.replace(/s$/, ""));
  if (Number.isNaN(seconds) || rest.length === 0) return fail(process, "timeout: invalid number", 1);
  const limit = new AbortController();
  const { session, runtime } = process;
  const timer = runtime.clock.setTimer(seconds * 1000, () => limit.abort());
  const own = session.cgroup.startSession(AbortSignal.any([session.signal, limit.signal]));
  const exit = own.fork();
  try {
    return await process.interpreter.command(rest, { ...process, session: own });
  } catch (error) {
    session.signal.throwIfAborted();
    if (limit.signal.aborted) return 124;
    throw error;
  } finally {
    exit();
    timer.cancel();
  }
};

export const systemCommands: readonly (readonly [string, Command])[] = [
  ["uname", uname],
  ["ps", ps],
  ["id", id],
  ["whoami", whoami],
  ["kill", kill],
  ["chmod", chmod],
  ["chown", () => 0],
  ["chgrp", () => 0],
  ["stty", stty],
  ["tty", tty],
  ["timeout", timeout],
  ["clear", (_args, process) => (print(process, "\x1b[H\x1b[J"), 0)],
  ["umask", () => 0],
];
