// npm run sample: upstream's sample API server behind kube-apiserver, then behind ours; what kubectl prints is compared.

import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAuthority, createClientIdentity, encodePrivateKey } from "@coxswain/wire/x509";
import { removeDataDir, startCoxswain } from "../clients/coxswain-process.js";
import { ensureProgram, startEtcd, startKubeApiserver, stopOnSignal } from "../upstream/index.js";
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

async function runScenario(
  name: string,
  start: (folder: string, etcdUrl: string) => Promise<Front>,
): Promise<CommandResult[]> {
  const folder = join(root, name);
  mkdirSync(folder);
  const etcd = await startEtcd({ folder, sync: false });
  stops.push(() => etcd.stop());
  const front = await start(folder, etcd.url);
  stops.push(() => front.stop());
  const sample = await startSampleApiserver({ folder, etcdUrl: etcd.url, kubeconfig: front.kubeconfig });
  stops.push(() => sample.stop());
  const results = await runSampleScenario({ kubectl, kubeconfig: front.kubeconfig, port: sample.port });
  await stopAll();
  return results;
}

const root = mkdtempSync(join(tmpdir(), "coxswain-sample-"));
const kubectl = await ensureProgram("kubectl");
const theirs = await runScenario("upstream", startUpstream);
const ours = await runScenario("ours", startOurs);
const ports = (text: string): string => text.replace(/127\.0\.0\.1:\d+/g, "127.0.0.1:<port>");
let differing = 0;
for (const [at, { command, code, text }] of ours.entries()) {
  const upstream = theirs[at];
  const isSame = upstream !== undefined && code === upstream.code && ports(text) === ports(upstream.text);
  if (!isSame) differing += 1;
  console.log(`${isSame ? "same" : "DIFFERENT"}: kubectl ${command}`);
  if (!isSame) console.log(`  upstream (${upstream?.code}): ${upstream?.text}\n  ours (${code}): ${text}`);
}
console.log(`${ours.length} commands, ${differing} different`);
process.exitCode = differing === 0 ? 0 : 1;
