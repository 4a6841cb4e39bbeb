import { describe, expect, it } from "vitest";
import { Budget } from "../budget.js";
import { parseScript } from "./parse.js";
import { runShell } from "./shell.test.support.js";

const parse = (script: string): unknown => parseScript(script, new Budget({}));

async function run(script: string, options: { env?: Record<string, string>; advanceMs?: number } = {}) {
  const shell = runShell(script, options);
  await shell.clock.advance(options.advanceMs ?? 0);
  const code = await Promise.race([shell.ended, Promise.resolve("running" as const)]);
  return { code, out: shell.out(), err: shell.err() };
}

const outputs: { name: string; script: string; out: string; code?: number; env?: Record<string, string> }[] = [
  { name: "echo writes its words", script: "echo a  'b c' \"d\"", out: "a b c d\n" },
  { name: "echo -n leaves the newline out", script: "echo -n a; echo b", out: "ab\n" },
  { name: "variables expand, unquoted ones split", script: 'X="a  b"; echo $X "$X"', out: "a b a  b\n" },
  {
    name: "a default stands in for an empty variable",
    script: "echo ${NOPE:-none} ${HOME:-x}",
    env: { HOME: "/root" },
    out: "none /root\n",
  },
  {
    name: "prefixes and suffixes can be cut off",
    script: "F=/a/b.txt; echo ${F##*/} ${F%.txt} ${#F}",
    out: "b.txt /a/b 8\n",
  },
  { name: "$(…) takes a command's output without the last newline", script: "echo [$(echo hi; echo)]", out: "[hi]\n" },
  { name: "$((…)) computes", script: "I=3; echo $(( (I + 4) * 2 % 5 ))", out: "4\n" },
  {
    name: "&& and || look at exit codes",
    script: "true && echo yes || echo no; false && echo yes || echo no",
    out: "yes\nno\n",
  },
  {
    name: "* and ? match files",
    script: "cd /tmp; touch b1 b2 c .h; echo b* ?; echo x*; echo 'b*' /t?p/c",
    out: "b1 b2 c\nx*\nb* /tmp/c\n",
  },
  {
    name: "read takes lines one by one",
    script: "printf 'a b\\nc\\n' | while read x y; do echo $y-$x; done",
    out: "b-a\n-c\n",
  },
  {
    name: "date is busybox's",
    script: "date; date +%Y-%m-%dT%H:%M:%SZ; date +%s",
    out: "Thu Jan  1 00:00:00 UTC 1970\n1970-01-01T00:00:00Z\n0\n",
  },
  {
    name: "a script file runs by its path where its mode allows it",
    script: "echo 'echo $0 $1' > /tmp/s; /tmp/s; chmod +x /tmp/s; /tmp/s x; . /tmp/s; command -v ls",
    out: "/tmp/s x\nsh one\n/bin/ls\n",
  },
  {
    name: "tar takes files out and puts them in",
    script:
      "mkdir -p /a/b; echo 1 > /a/b/c; chmod 700 /a/b/c; tar cf - /a | tar xf - -C /tmp; cat /tmp/a/b/c; tar -cf /x.tar -C /tmp a; tar tf /x.tar",
    out: "1\na/\na/b/\na/b/c\n",
  },
  {
    name: "tar compresses with gzip",
    script:
      "mkdir /a; echo 1 > /a/b; tar czf - /a | tar xzf - -C /tmp; cat /tmp/a/b; tar czf /x.tgz a; tar tzf /x.tgz; echo no > /y; tar tzf /y; echo $?; printf '\\037\\213\\010' | tar tzf -; echo $?",
    out: "1\na/\na/b\n1\n1\n",
  },
  {
    name: "timeout ends what takes too long",
    script: "timeout 1 true; echo $?; uname -s; id -u",
    out: "0\nLinux\n0\n",
  },
  {
    name: "printf fills with zeros, and has signs, precision and other bases",
    script: "printf '%05d|%-4s|%4s|%+d|%.2f|%.3s|%x|%X|%o|%b|%d\\n' 3 a b 7 1.005 abcdef 255 255 8 'a\\tb' -5",
    out: "00003|a   |   b|+7|1.00|abc|ff|FF|10|a\tb|-5\n",
  },
  {
    name: "grep has expressions, and counts and numbers lines",
    script:
      "printf 'A=1\\nBA=2\\nC=3\\n' > /f; grep ^A= /f; grep -cE '^(A|C)' /f; grep -n 'A.*2$' /f; grep -e C -- /f; grep -P x /f",
    out: "A=1\n2\n2:BA=2\nC=3\n",
    code: 2,
  },
  {
    name: "set -e ends at a failure",
    script: "set -e; echo a; false; echo b",
    out: "a\n",
    code: 1,
  },
  {
    name: "but not where somebody looks at it",
    script:
      "set -e; false || echo a; if false; then :; fi; while false; do :; done; ! true; false && true; f() { false; echo in; }; f || :; true | false | true; echo b",
    out: "a\nin\nb\n",
  },
  {
    name: "set -e holds in functions and subshells",
    script: "set -eu; f() { false; }; (f; echo a); echo b",
    out: "",
    code: 1,
  },
  {
    name: "set +e ends it, and sh -e begins it",
    script: "sh -ec 'false; echo a'; echo $?; set -e; set +e; false; echo b",
    out: "1\nb\n",
  },
  {
    name: "set -o pipefail looks at each part of a pipe",
    script: "set -o pipefail; false | true; echo $?; set +o pipefail; false | true; echo $?",
    out: "1\n0\n",
  },
  {
    name: "trap EXIT runs at the end",
    script: "trap 'echo bye $?' EXIT; (echo in); sh -c 'echo other'; exit 3",
    out: "in\nother\nbye 3\n",
    code: 3,
  },
  { name: "and may change the code", script: "trap 'exit 4' EXIT; echo a", out: "a\n", code: 4 },
  {
    name: "wait has the code of one job",
    script: "(exit 3) & wait $!; echo $?; wait; echo $?; wait 99; echo $?",
    out: "3\n0\n127\n",
  },
  { name: "exit ends with its code", script: "echo a; exit 3; echo b", out: "a\n", code: 3 },
  { name: "the last command's code is the script's", script: "true; false", out: "", code: 1 },
  {
    name: "if, elif and else",
    script: "if false; then echo a; elif [ 1 -eq 1 ]; then echo b; else echo c; fi",
    out: "b\n",
  },
  { name: "for walks through words", script: "for i in 1 2 $(echo 3); do echo n$i; done", out: "n1\nn2\nn3\n" },
  {
    name: "while and break",
    script: "i=0; while true; do i=$((i+1)); [ $i -ge 3 ] && break; done; echo $i",
    out: "3\n",
  },
  { name: "case by pattern", script: "case abc in x*) echo x;; a*|b*) echo a;; esac", out: "a\n" },
  { name: "functions have parameters", script: "f() { echo $1-$#; return 2; }; f a b; echo $?", out: "a-2\n2\n" },
  {
    name: "the script's own parameters",
    script: 'echo $1 "$2" $#; for a; do echo "<$a>"; done',
    out: "one two words 2\n<one>\n<two words>\n",
  },
  {
    name: "redirections write, append and read",
    script: "echo a > /tmp/x; echo b >> /tmp/x; cat < /tmp/x; cat /tmp/x | wc -l",
    out: "a\nb\n2\n",
  },
  { name: "errors can go where output goes", script: "nope 2>&1 | cat", out: "sh: nope: not found\n" },
  { name: "pipes hand on output", script: "cat /etc/motd | grep wor | head -n 1", out: "world\n" },
  { name: "a subshell keeps its variables", script: "X=1; (X=2; cd /tmp); echo $X $(pwd)", out: "1 /\n" },
  { name: "cd changes the directory", script: "cd /tmp && echo a > f && ls && pwd", out: "f\n/tmp\n" },
  { name: "env shows what is exported", script: "A=1; export B=2; env", env: { C: "3" }, out: "C=3\nB=2\n" },
  { name: "a variable for one command", script: "A=1 env; echo [$A]", out: "A=1\n[]\n" },
  {
    name: "test looks at files",
    script: "touch /tmp/t; [ -f /tmp/t ] && [ ! -e /tmp/no ] && [[ -r /tmp/t ]] && echo ok",
    out: "ok\n",
  },
  {
    name: "a job that fails for odd indexes",
    script: "if [ $(expr ${I} % 2) -ne 0 ]; then\n exit 1\nelse\n exit 0\nfi",
    env: { I: "3" },
    out: "",
    code: 1,
  },
  { name: "comments and continued lines", script: "# a comment\necho a \\\n  b # and more", out: "a b\n" },
  { name: "here-documents", script: "cat <<EOF\none\ntwo\nEOF\necho three", out: "one\ntwo\nthree\n" },
  { name: "an unknown command is not found", script: "nope", out: "", code: 127 },
  { name: "input is read", script: "cat", out: "from stdin\n" },
];

describe("the simulated shell", () => {
  for (const { name, script, out, code = 0, env = {} } of outputs)
    it(name, async () => expect(await run(script, { env })).toMatchObject({ out, code }));

  it("wait goes on when all jobs have ended", async () => {
    const script = "sleep 2 & sleep 5 & wait; echo done";
    expect(await run(script, { advanceMs: 4000 })).toMatchObject({ out: "", code: "running" });
    expect(await run(script, { advanceMs: 5000 })).toMatchObject({ out: "done\n", code: 0 });
  });

  it("sleeps by the clock", async () => {
    expect(await run("sleep 5; echo up", { advanceMs: 4000 })).toMatchObject({ out: "", code: "running" });
    expect(await run("sleep 0.5m; echo up", { advanceMs: 30_000 })).toMatchObject({ out: "up\n" });
  });

  const refused = ["if true; then echo", "echo 'open", "( echo a", "echo a; fi", "for x in a; echo $x"];
  for (const script of refused) it(`refuses ${script}`, () => expect(() => parse(script)).toThrow("syntax error"));

  it("refuses what is nested too deeply", () => {
    expect(() => parse(`${"(".repeat(100)}true${")".repeat(100)}`)).toThrow("nested too deeply");
  });
});
