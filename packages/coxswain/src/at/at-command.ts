import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "@coxswain/client/node";
import { FlagError, formatHelp, parseFlags } from "@coxswain/component/flags";
import { systemClock } from "@coxswain/runtime/clock";
import { configFrom, historyFlags } from "../history/history-call.js";
import { parsePointInTime, revisionOf } from "../history/point-in-time.js";
import { servePast } from "./past-endpoint.js";

const usage = "coxswain at MOMENT [kubectl's words | -- PROGRAM …]";

/** `coxswain at 10m get pods`, `coxswain at 10m -- helm list`, and kubectl-at. */
export async function runAt(args: readonly string[]): Promise<number> {
  const { own, moment, program } = splitWords(args);
  const parsed = parseFlags(historyFlags, own);
  if (parsed.kind === "help") {
    process.stdout.write(
      formatHelp(historyFlags, {
        usage,
        description:
          "Runs kubectl, or the program behind --, on the cluster as it was: 10m (ago), 14:05, a time, or a revision such as r99. " +
          "Flags of this command stand before the moment. Only reading is possible.",
      }),
    );
    return 0;
  }
  if (moment === undefined || program.length === 0)
    throw new FlagError(`name a moment and what to run. Usage: ${usage}`);
  const config = configFrom(parsed.options);
  const client = connect(config, { userAgent: "coxswain-at" });
  const folder = mkdtempSync(join(tmpdir(), "coxswain-at-")); // readable by its owner only
  try {
    const revision = await revisionOf(client, parsePointInTime(moment, systemClock.now()));
    const past = await servePast(client.sockets, revision);
    const file = join(folder, "kubeconfig");
    writeFileSync(file, kubeconfigFor(past.url, config.namespace ?? "default"), { mode: 0o600 });
    try {
      return await runChild(program, file);
    } finally {
      past.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await client.close();
  }
}

/** Our flags stand before the moment; what comes after it belongs to the program. */
function splitWords(args: readonly string[]): { own: string[]; moment: string | undefined; program: string[] } {
  const own: string[] = [];
  let rest = [...args];
  while (rest[0]?.startsWith("-")) {
    const [flag = "", ...others] = rest;
    const takesValue = !flag.includes("=") && !["--kubectl-plugin", "--help", "-h"].includes(flag);
    own.push(flag);
    if (takesValue && others[0] !== undefined) own.push(others[0]);
    rest = takesValue ? others.slice(1) : others;
  }
  const [moment, ...words] = rest;
  if (words[0] === "--") return { own, moment, program: words.slice(1) };
  return { own, moment, program: words.length > 0 ? ["kubectl", ...words] : [] };
}

const kubeconfigFor = (server: string, namespace: string): string =>
  JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "past", cluster: { server } }],
    contexts: [{ name: "past", context: { cluster: "past", user: "past", namespace } }],
    users: [{ name: "past", user: {} }],
    "current-context": "past",
  });

async function runChild([program = "", ...args]: readonly string[], kubeconfig: string): Promise<number> {
  const child = spawn(program, args, { stdio: "inherit", env: { ...process.env, KUBECONFIG: kubeconfig } });
  const ended = once(child, "exit") as Promise<[number | null, NodeJS.Signals | null]>;
  try {
    await once(child, "spawn");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    process.stderr.write(`coxswain at: there is no ${program} in PATH\n`);
    return 127;
  }
  // Ctrl-C is the program's to handle: both are in the terminal's foreground.
  process.on("SIGINT", () => {});
  const [code] = await ended;
  return code ?? 1;
}
