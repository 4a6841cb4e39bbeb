// npm run h2spec: see `usage`.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { removeDataDir, startCoxswain } from "../clients/index.js";
import {
  type ClusterAccess,
  ensureProgram,
  parseKubeconfig,
  startEtcd,
  startKubeApiserver,
  stopOnSignal,
} from "../upstream/index.js";
import type { CaseOutcome } from "./report.js";
import { runH2spec } from "./run-h2spec.js";
import { leftToChance, upstreamFailures } from "./upstream-failures.js";

const usage = `npm run tool -- h2spec [flags]

Puts the cases of h2spec, which asks a server about HTTP/2 frame by frame, to our server over TLS. Prints the cases that ours
fails and kube-apiserver does not; there must be none.

  --upstream         puts them to kube-apiserver, too, and compares with that instead of the list that is kept
  --coxswain FILE    launcher of another build of ours (default: the one in this checkout)
`;

const undo: (() => Promise<unknown> | void)[] = [];
const stop = async (): Promise<void> => {
  for (const step of undo.splice(0).reverse()) await step();
};
stopOnSignal(stop);

const print = (line: string): void => void process.stdout.write(`${line}\n`);

async function test(server: string, program: string, access: ClusterAccess): Promise<CaseOutcome[]> {
  const outcomes = await runH2spec(program, access);
  const failed = outcomes.filter(({ name, verdict }) => verdict === "failed" && !leftToChance.includes(name));
  print(`${server}: ${outcomes.length} cases, ${failed.length} failed`);
  return failed;
}

async function testOurs(program: string, coxswain: string | undefined): Promise<CaseOutcome[]> {
  const server = await startCoxswain({
    args: ["--storage=memory", "--log-level=error"],
    ...(coxswain === undefined ? {} : { launcher: coxswain }),
  });
  undo.push(
    () => removeDataDir(server),
    () => server.stop(),
  );
  return test("ours", program, parseKubeconfig(readFileSync(server.kubeconfig, "utf8")));
}

async function testUpstream(program: string): Promise<CaseOutcome[]> {
  const folder = mkdtempSync(join(tmpdir(), "h2spec-upstream-"));
  undo.push(() => rmSync(folder, { recursive: true, force: true }));
  const etcd = await startEtcd({ folder, sync: false });
  undo.push(() => etcd.stop());
  // With AlwaysAllow nobody may be anonymous.
  const server = await startKubeApiserver({ folder, etcdUrl: etcd.url, authorizationMode: "RBAC" });
  undo.push(() => server.stop());
  const failed = await test("kube-apiserver", program, server.access);
  for (const { name, message } of failed)
    print(
      `  ${name}${upstreamFailures.includes(name) ? "" : " (NOT in the list that is kept)"}\n    ${message.replaceAll("\n", "\n    ")}`,
    );
  for (const name of upstreamFailures)
    if (!failed.some((outcome) => outcome.name === name))
      print(`  passes, though it is in the list that is kept: ${name}`);
  return failed;
}

try {
  const { values } = parseArgs({
    options: {
      upstream: { type: "boolean", default: false },
      coxswain: { type: "string" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) print(usage);
  else {
    const program = await ensureProgram("h2spec");
    const excused = values.upstream ? (await testUpstream(program)).map(({ name }) => name) : upstreamFailures;
    const ours = (await testOurs(program, values.coxswain)).filter(({ name }) => !excused.includes(name));
    print(`failed by ours and not by kube-apiserver: ${ours.length}`);
    for (const { name, message } of ours) print(`  ${name}\n    ${message.replaceAll("\n", "\n    ")}`);
    process.exitCode = ours.length === 0 ? 0 : 1;
  }
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 2;
} finally {
  await stop();
}
