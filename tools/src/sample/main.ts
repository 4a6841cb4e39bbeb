// npm run tool -- sample: upstream's sample API server and that of our examples, behind kube-apiserver and behind ours; what kubectl prints is compared.

import { randomBytes } from "node:crypto";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAuthority, createClientIdentity, encodePrivateKey } from "@coxswain/wire/x509";
import { removeDataDir, startCoxswain } from "../clients/coxswain-process.js";
import { ensureProgram, startEtcd, startKubeApiserver, stopOnSignal } from "../upstream/index.js";
import { startOwnSampleApiserver } from "./own-sample-apiserver.js";
import { startSampleApiserver } from "./sample-apiserver.js";
import { type CommandResult, runSampleScenario } from "./story.js";

interface Front {
  readonly kubeconfig: string;
  stop(): Promise<unknown>;
}

const stops: (() => Promise<unknown>)[] = [];
const stopAll = async (): Promise<void> => {
  for (const stop of stops.splice(0).reverse()) await stop();
};
stopOnSignal(stopAll);

async function startUpstream(folder: string, etcdUrl: string): Promise<Front> {
  const { kubeconfigFile, stop } = await startKubeApiserver({ folder, etcdUrl, flags: frontProxyFlags(folder) });
  return { kubeconfig: kubeconfigFile, stop };
}

/** With an authority of its own: what it signs speaks for others. */
function frontProxyFlags(folder: string): string[] {
  const now = Date.now();
  const life = { notBefore: now - 60_000, notAfter: now + 86_400_000, random: { bytes: randomBytes } };
  const authority = createAuthority({ ...life, subject: { commonName: "front-proxy-ca" } });
  const client = createClientIdentity(authority, { ...life, subject: { commonName: "front-proxy-client" } });
  const write = (name: string, content: string): string => {
    writeFileSync(join(folder, name), content, { mode: 0o600 });
    return join(folder, name);
  };
  return [
    `--requestheader-client-ca-file=${write("front-proxy-ca.crt", authority.pem)}`,
    "--requestheader-username-headers=X-Remote-User",
    "--requestheader-group-headers=X-Remote-Group",
    "--requestheader-extra-headers-prefix=X-Remote-Extra-",
    `--proxy-client-cert-file=${write("front-proxy-client.crt", client.pem)}`,
    `--proxy-client-key-file=${write("front-proxy-client.key", encodePrivateKey(client.privateKey))}`,
  ];
}

async function startOurs(): Promise<Front> {
  const ours = await startCoxswain();
  return {
    kubeconfig: ours.kubeconfig,
    async stop() {
      await ours.stop();
      removeDataDir(ours);
    },
  };
}

interface Scenario {
  readonly front: "kube-apiserver" | "ours";
  readonly sample: "upstream's" | "ours";
}

async function runScenario({ front: name, sample: of }: Scenario): Promise<CommandResult[]> {
  const folder = mkdtempSync(join(root, "run-"));
  const etcd = await startEtcd({ folder, sync: false });
  stops.push(() => etcd.stop());
  const front = await (name === "ours" ? startOurs() : startUpstream(folder, etcd.url));
  stops.push(() => front.stop());
  const { kubeconfig } = front;
  const sample = await (of === "ours"
    ? startOwnSampleApiserver({ folder, kubeconfig })
    : startSampleApiserver({ folder, etcdUrl: etcd.url, kubeconfig }));
  stops.push(() => sample.stop());
  const results = await runSampleScenario({ kubectl, kubeconfig, port: sample.port });
  await stopAll();
  return results;
}

/** Ports differ from run to run. Descriptions of the example are its own words: below a member `explain` indents them. */
const compared = ({ command, text }: CommandResult): string => {
  const ports = text.replace(/127\.0\.0\.1:\d+/g, "127.0.0.1:<port>");
  return command.startsWith("explain") ? ports.replace(/^ {4}.*\n/gm, "") : ports;
};

const root = mkdtempSync(join(tmpdir(), "coxswain-sample-"));
const kubectl = await ensureProgram("kubectl");
const wanted = await runScenario({ front: "kube-apiserver", sample: "upstream's" });
const scenarios: readonly Scenario[] = [
  { front: "ours", sample: "upstream's" },
  { front: "kube-apiserver", sample: "ours" },
  { front: "ours", sample: "ours" },
];
let differing = 0;
for (const scenario of scenarios) {
  const results = await runScenario(scenario);
  const different = results.filter((result, at) => {
    const upstream = wanted[at];
    if (upstream && result.code === upstream.code && compared(result) === compared(upstream)) return false;
    console.log(`DIFFERENT: kubectl ${result.command}`);
    console.log(`  upstream (${upstream?.code}): ${upstream?.text}\n  here (${result.code}): ${result.text}`);
    return true;
  });
  differing += different.length;
  console.log(
    `${scenario.sample} sample behind ${scenario.front}: ${results.length} commands, ${different.length} different`,
  );
}
process.exitCode = differing === 0 ? 0 : 1;
