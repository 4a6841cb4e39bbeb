// npm run record -- audit
// Plays the cases of packages/apiserver/testdata/audit against the real kube-apiserver with the policy there, and writes
// what its audit log records.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import {
  createHttpsRequester,
  formatJson,
  type Json,
  type JsonObject,
  type Recording,
  readCases,
  recordingPath,
} from "../record/index.js";
import { kubernetesVersion, startEtcd, startKubeApiserver } from "../upstream/index.js";
import { playAudited } from "./play-audited.js";
import { auditTokens } from "./tokens.js";

const testdata = join(
  resolve(dirname(fileURLToPath(import.meta.url)), "../../.."),
  "packages/apiserver/testdata/audit",
);
const folder = mkdtempSync(join(tmpdir(), "coxswain-audit-"));
const log = join(folder, "audit.log");
const tokens = join(folder, "tokens.csv");
writeFileSync(tokens, auditTokens, { mode: 0o600 });

const eventsIn = (text: string): JsonObject[] =>
  text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as JsonObject);

/** The end of a watch is recorded some time after its client is gone. */
async function events(auditIds: ReadonlySet<string>): Promise<JsonObject[]> {
  for (let tries = 0; ; tries += 1) {
    const logged = eventsIn(readFileSync(log, "utf8"));
    const begun = new Set(
      logged.filter(({ stage }) => stage === "RequestReceived").map(({ auditID }) => String(auditID)),
    );
    const ended = new Set(
      logged.filter(({ stage }) => stage === "ResponseComplete").map(({ auditID }) => String(auditID)),
    );
    if ([...begun].every((id) => !auditIds.has(id) || ended.has(id)) || tries === 50) return logged;
    await setTimeout(100);
  }
}

const etcd = await startEtcd({ folder, sync: false });
try {
  const flags = [
    `--token-auth-file=${tokens}`,
    `--audit-policy-file=${join(testdata, "policy.yaml")}`,
    `--audit-log-path=${log}`,
  ];
  const apiserver = await startKubeApiserver({ folder, etcdUrl: etcd.url, authorizationMode: "Node,RBAC", flags });
  // Without a certificate: the user is named by a token, as where this is played again.
  const { clientCertificate: _, clientKey: __, ...access } = apiserver.access;
  const client = createHttpsRequester(access as typeof apiserver.access);
  try {
    for (const file of readCases(join(testdata, "cases"))) {
      const recording: Recording = {
        server: kubernetesVersion,
        answers: await playAudited(file.case, { request: client.request, events }),
      };
      writeFileSync(recordingPath(file.path), `${formatJson(recording as unknown as Json)}\n`);
      console.log(`${file.case.name}: ${recording.answers.length} events of ${file.case.steps.length} requests`);
    }
  } finally {
    client.close();
    await apiserver.stop();
  }
} finally {
  await etcd.stop();
  rmSync(folder, { recursive: true, force: true });
}
