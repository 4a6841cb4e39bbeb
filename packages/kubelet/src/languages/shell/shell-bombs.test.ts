import { describe, expect, it } from "vitest";
import { containerBytes, containerProcesses } from "./cgroup.js";
import { runShell } from "./shell.test.support.js";

/** Rounds of the event loop that a program without end is watched for, and in which one over its budget must end. */
const [watchedRounds, roundsToEnd] = [300, 20_000];

/** What becomes of a program: its exit code, or that it goes on while others run, and never holds more than it may. */
async function watch(script: string, maxRounds: number) {
  const shell = runShell(script);
  let others = 0;
  const end: { code: number | "running" } = { code: "running" };
  void shell.ended.then(
    (ended) => (end.code = ended),
    () => {}, // killed
  );
  let most = { bytes: 0, processes: 0 };
  while (end.code === "running" && shell.rounds.count < maxRounds) {
    await new Promise((resolve) => setImmediate(resolve));
    others++;
    const { memory, processes } = shell.cgroup;
    most = { bytes: Math.max(most.bytes, memory.bytes), processes: Math.max(most.processes, processes) };
  }
  const { rounds } = shell;
  const outcome = {
    code: end.code,
    err: shell.err(),
    isWithinBounds: most.bytes <= containerBytes && most.processes <= containerProcesses,
  };
  shell.kill();
  await shell.ended.catch(() => {});
  // What was killed in the background notices it when it goes on.
  for (let round = 0; round < 100 && shell.cgroup.processes > 0; round++)
    await new Promise((resolve) => setImmediate(resolve));
  return {
    ...outcome,
    othersRan: others >= Math.floor(rounds.count / 2),
    left: shell.cgroup.processes,
    held: shell.cgroup.memory.bytes,
  };
}

const doubling = "a=xxxxxxxx; while :; do a=$a$a; done";
/** A kilobyte: what is repeated is repeated less often. */
const long = "x".repeat(1000);
const mebibyte = 'a=xxxxxxxx; for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17; do a="$a$a"; done';

const ending: { name: string; script: string; code: number; err: string }[] = [
  {
    name: "a function that calls itself",
    script: "f() { f; }; f",
    code: 1,
    err: "sh: f: maximum function nesting level exceeded (500)\n",
  },
  {
    name: "two functions that call each other",
    script: "f() { g; }; g() { f; }; f",
    code: 1,
    err: "sh: f: maximum function nesting level exceeded (500)\n",
  },
  {
    name: "a function that calls itself in a subshell",
    script: "f() { (f); }; f",
    code: 2,
    err: "sh: can't fork: Resource temporarily unavailable\n",
  },
  {
    name: "a function that calls itself in a command substitution",
    script: "f() { echo $(f); }; f > /dev/null; exit 3",
    code: 3,
    err: "sh: can't fork: Resource temporarily unavailable\n",
  },
  {
    name: "a script that calls itself",
    script: "echo 'sh /tmp/s' > /tmp/s; sh /tmp/s",
    code: 2,
    err: "sh: can't fork: Resource temporarily unavailable\n",
  },
  {
    name: "more jobs than a container may have processes",
    script: "while :; do sleep 1000 & done",
    code: 2,
    err: "sh: can't fork: Resource temporarily unavailable\n",
  },
  { name: "a variable that doubles", script: doubling, code: 137, err: "sh: out of memory\n" },
  {
    name: "ever more variables",
    script: `i=0; while :; do i=$((i+1)); export v$i=${long}; done`,
    code: 137,
    err: "sh: out of memory\n",
  },
  {
    name: "output without end that is captured",
    script: `a=$(while :; do echo ${long}; done)`,
    code: 137,
    err: "sh: out of memory\n",
  },
  {
    name: "numbers without end that are captured",
    script: "for i in $(seq 1000000000); do :; done",
    code: 137,
    err: "sh: out of memory\nsh: out of memory\n",
  },
  {
    name: "a line without end that is searched",
    script: `while :; do printf ${long}; done | grep y; exit 3`,
    code: 3,
    err: "sh: out of memory\n",
  },
  {
    name: "lines without end of which the last are kept",
    script: "seq 1000000000 | tail -n 100000000; exit 3",
    code: 3,
    err: "sh: out of memory\n",
  },
  {
    name: "a command without end on the input of a shell",
    script: `{ echo '{'; while :; do echo : ${long}; done; } | sh; exit 3`,
    code: 3,
    err: "sh: syntax error: command too long\n",
  },
  {
    name: "a script of a hundred thousand commands",
    script: `${":;".repeat(100_000)}`,
    code: 137,
    err: "sh: out of memory\n",
  },
  { name: "commands in a chain of ten thousand", script: `true${" && true".repeat(10_000)}; exit 3`, code: 3, err: "" },
  {
    name: "env two thousand times",
    script: `${"env ".repeat(2000)}`,
    code: 1,
    err: "sh: env: maximum function nesting level exceeded (500)\n",
  },
  { name: "test with ten thousand negations", script: `[ ${"! ".repeat(10_000)} "" ] || exit 3`, code: 3, err: "" },
  {
    name: "parentheses in parentheses of an expression",
    script: `echo $((${"(".repeat(10_000)}1${")".repeat(10_000)}))`,
    code: 2,
    err: "sh: arithmetic: nested too deeply\n",
  },
  {
    name: "signs before signs in an expression",
    script: `echo $((${"-".repeat(10_000)}1))`,
    code: 2,
    err: "sh: arithmetic: nested too deeply\n",
  },
  {
    name: "defaults of defaults",
    script: `${"${a:-".repeat(10_000)}${"}".repeat(10_000)}`,
    code: 127,
    err: "sh: sh: not found\n",
  },
  {
    name: "a pattern that tries everything",
    script: `a=${"x".repeat(1000)}; i=0; while [ $i -lt 20 ]; do i=$((i+1)); b=\${a%%*y*y*y}; done; exit 3`,
    code: 3,
    err: "",
  },
  {
    name: "a hundred thousand words, printed twice",
    script: 'printf "%s\\n" $(seq 100000) > /tmp/a; printf "%s\\n" $(seq 100000) | wc -l; exit 3',
    code: 3,
    err: "",
  },
  {
    name: "a file that grows without end",
    script: `while :; do echo ${long} >> /tmp/f || exit 3; done`,
    code: 3,
    err: "sh: write error: No space left on device\n",
  },
  {
    name: "directories without end",
    script: `i=0; while mkdir -p /tmp/${long}$i; do i=$((i+1)); done`,
    code: 0,
    err: expect.stringContaining("No space left on device") as string,
  },
  {
    name: "a path of a mebibyte",
    script: `${mebibyte}; touch /tmp/$a; ls $a > /dev/null; exit 3`,
    code: 3,
    err: expect.stringContaining("File name too long") as string,
  },
  {
    name: "handlers of signals that do not exist",
    script: "i=100; while trap : SIG$i; do i=$((i+1)); done; exit 3",
    code: 3,
    err: expect.stringContaining("invalid signal specification") as string,
  },
  { name: "a reader that leaves", script: "while :; do echo x; done | head -n 1; exit 3", code: 3, err: "" },
];

const goingOn: { name: string; script: string }[] = [
  { name: "a loop that does nothing", script: "while :; do :; done" },
  { name: "a loop of loops", script: "while :; do for i in 1 2 3; do until true; do :; done; done; done" },
  { name: "a loop of subshells", script: "while :; do (:); done" },
  { name: "a loop of jobs", script: "while :; do : & done" },
  { name: "a loop of pipes", script: "while :; do : | :; done" },
  { name: "a fork bomb of pipes", script: "f() { f | f; }; f" },
  { name: "a fork bomb of jobs", script: "f() { f | f & }; f; while :; do :; done" },
  { name: "a function that calls itself twice, in subshells", script: "f() { (f); (f); }; f" },
  { name: "output without end", script: "while :; do echo xxxxxxxx; done" },
  { name: "lines of two mebibytes", script: `${mebibyte}; a=$a$a; while :; do echo "$a"; done` },
  { name: "output without end through a pipe", script: "while :; do echo xxxxxxxx; done | cat" },
  {
    name: "output without end through many pipes",
    script: "while :; do echo xxxxxxxx; done | cat | tee /dev/null | grep x",
  },
  { name: "numbers without end", script: "seq 1000000000000" },
  { name: "a pattern on a long text", script: `${mebibyte}; while :; do b=\${a%%*y}; done` },
  { name: "a case on a long text", script: `${mebibyte}; while :; do case $a in *y*y*y*) exit 1;; esac; done` },
  { name: "words of a long text", script: "a=$(seq 100000); while :; do set -- $a; done" },
  { name: "the length of a long text", script: `${mebibyte}; while :; do : \${#a}; done` },
  { name: "a command that is killed for its memory, again and again", script: `while :; do (${doubling}); done` },
  {
    name: "a file that is read again and again",
    script: `${mebibyte}; echo "$a" > /tmp/f; while :; do wc /tmp/f > /dev/null; done`,
  },
  {
    name: "a file that is copied again and again",
    script: `${mebibyte}; echo "$a" > /tmp/f; while :; do cp /tmp/f /tmp/g; done`,
  },
];

describe("a program over its budget ends", () => {
  for (const { name, script, code, err } of ending)
    it(name, async () => {
      const outcome = await watch(script, roundsToEnd);
      expect(outcome).toMatchObject({ code, isWithinBounds: true, othersRan: true, held: 0, left: 0 });
      expect(outcome.err.slice(-200)).toEqual(err);
    });
});

describe("a program without end lets others run for ever", () => {
  for (const { name, script } of goingOn)
    it(name, async () =>
      expect(await watch(script, watchedRounds)).toMatchObject({
        code: "running",
        isWithinBounds: true,
        othersRan: true,
        held: 0,
        left: 0,
      }),
    );
});

it("a program whose output nobody reads waits", async () => {
  let written = 0;
  const shell = runShell("while :; do echo xxxxxxxx; done", {
    stdout: {
      write: (chunk) => void (written += chunk.length),
      drained: () => (written > 1000 ? new Promise(() => {}) : undefined),
    },
  });
  for (let round = 0; round < 100; round++) await new Promise((resolve) => setImmediate(resolve));
  expect(written).toBeLessThan(1100);
  shell.kill();
  await expect(shell.ended).rejects.toThrow("aborted");
});
