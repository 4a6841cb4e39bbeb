import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runProgram } from "../clients/index.js";
import type { ClusterAccess } from "../upstream/index.js";
import { openBridge } from "./bridge.js";
import { type CaseOutcome, parseReport } from "./report.js";

/**
 * Puts every case to a server twice: over h2spec's own TLS as nobody, whose connections end with the first answer
 * (upstream's UnauthenticatedHTTP2DOSMitigation), and as an administrator, whose connections stay. Names begin with who asks.
 */
export async function runH2spec(program: string, access: ClusterAccess): Promise<CaseOutcome[]> {
  const bridge = await openBridge(access);
  try {
    const runs = await Promise.all([
      run(program, "nobody", ["--tls", "--insecure", "--path", "/livez", "--port", new URL(access.server).port]),
      run(program, "admin", ["--path", "/api/v1/namespaces/default", "--port", String(bridge.port)]),
    ]);
    return runs.flat();
  } finally {
    await bridge.stop();
  }
}

async function run(program: string, who: string, args: readonly string[]): Promise<CaseOutcome[]> {
  const folder = await mkdtemp(join(tmpdir(), "h2spec-"));
  const file = join(folder, "report.xml");
  try {
    const { stdout, stderr } = await runProgram(program, [...args, "--junit-report", file]);
    const xml = await readFile(file, "utf8").catch((cause: unknown) => {
      throw new Error(`h2spec wrote no report:\n${stdout.slice(-2000)}${stderr}`, { cause });
    });
    return parseReport(xml).map((outcome) => ({ ...outcome, name: `${who} ${outcome.name}` }));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
