import { copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startCoxswain } from "../clients/index.js";
import { ownProgram } from "../conformance/server-under-test.js";
import { ensureProgram, startEtcd, startKubeApiserver, startProcess } from "../upstream/index.js";
import type { Workspace } from "./workspace.js";

/** A server and a controller manager as upstream's script starts them: no node, no scheduler. */
export interface Setting {
  readonly port: number;
  /** Resolves with a sentence when a part of it ends by itself. */
  readonly broken: Promise<string>;
  stop(): Promise<void>;
}

export interface SettingOptions {
  readonly server: "ours" | "upstream";
  readonly controllers: "ours" | "upstream";
  readonly history: boolean;
  /** For data and logs; must exist. */
  readonly folder: string;
  readonly workspace: Workspace;
  readonly coxswain: string | undefined;
}

const enabled = ["LimitRanger", "ResourceQuota"];
const disabled = [
  "ServiceAccount",
  "DefaultStorageClass",
  "DefaultTolerationSeconds",
  "MutatingAdmissionWebhook",
  "ValidatingAdmissionWebhook",
  "StorageObjectInUseProtection",
];
/** Impersonated users must be allowed what they do, and roles must be there to be listed. */
const authorizationMode = "RBAC,AlwaysAllow";

interface Server {
  readonly port: number;
  /** File with the certificate that it serves. */
  readonly certificate: string;
  readonly ended: Promise<void>;
}

export async function startSetting(options: SettingOptions): Promise<Setting> {
  const { folder, workspace } = options;
  const stops: (() => Promise<unknown>)[] = [];
  const stop = async (): Promise<void> => {
    for (const one of stops.splice(0).reverse()) await one();
  };
  try {
    const server = options.server === "ours" ? await startOurs(options, stops) : await startUpstream(options, stops);
    copyFileSync(server.certificate, join(workspace.temporary, "apiserver.crt"));
    const kubeconfig = join(folder, "controller-manager.kubeconfig");
    writeFileSync(kubeconfig, kubeconfigOf(server.port));
    const logFile = join(folder, "kube-controller-manager.log");
    const ca = join(workspace.folder, "hack/testdata/ca");
    const own = ownProgram(options.controllers, "controller-manager", options.coxswain);
    const manager = startProcess({
      name: "kube-controller-manager",
      command: own?.command ?? (await ensureProgram("kube-controller-manager")),
      logFile,
      args: [
        ...(own?.args ?? []),
        `--kubeconfig=${kubeconfig}`,
        `--cluster-signing-cert-file=${join(ca, "ca.crt")}`,
        `--cluster-signing-key-file=${join(ca, "ca.key")}`,
        "--leader-elect=false",
        "--secure-port=0",
      ],
    });
    stops.push(() => manager.stop());
    const broken = Promise.race([
      manager.ended.then(() => `kube-controller-manager has ended, see ${logFile}`),
      server.ended.then(() => `the API server has ended, see the logs in ${folder}`),
    ]);
    return { port: server.port, broken, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Flags that both servers take: the files are those of the scripts. */
const accessFlags = ({ folder }: Workspace): string[] => [
  `--client-ca-file=${join(folder, "hack/testdata/ca/ca.crt")}`,
  `--token-auth-file=${join(folder, "hack/testdata/auth-tokens.csv")}`,
  "--runtime-config=api/v1=true",
  "--service-cluster-ip-range=10.0.0.0/24",
];

async function startOurs(
  { folder, workspace, history, coxswain }: SettingOptions,
  stops: (() => Promise<unknown>)[],
): Promise<Server> {
  const dataDir = join(folder, "data");
  const server = await startCoxswain({
    dataDir,
    ...(coxswain === undefined ? {} : { launcher: coxswain }),
    args: [
      ...accessFlags(workspace),
      `--authorization-mode=${authorizationMode}`,
      `--enable-admission-plugins=${enabled}`,
      `--disable-admission-plugins=${disabled}`,
      `--history=${history}`,
    ],
  });
  void server.ended.then(() => writeFileSync(join(folder, "coxswain.log"), server.output()));
  stops.push(() => server.stop());
  return { port: server.port, certificate: join(dataDir, "pki/apiserver.crt"), ended: server.ended };
}

async function startUpstream(
  { folder, workspace }: SettingOptions,
  stops: (() => Promise<unknown>)[],
): Promise<Server> {
  const etcd = await startEtcd({ folder, sync: false });
  stops.push(() => etcd.stop());
  const server = await startKubeApiserver({
    folder,
    etcdUrl: etcd.url,
    authorizationMode,
    enableAdmissionPlugins: enabled,
    disableAdmissionPlugins: disabled,
    flags: accessFlags(workspace),
    token: "admin-token",
  });
  stops.push(() => server.stop());
  return {
    port: Number(new URL(server.access.server).port),
    certificate: join(folder, "server.crt"),
    ended: server.ended,
  };
}

const kubeconfigOf = (port: number): string =>
  JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "local", cluster: { server: `https://127.0.0.1:${port}`, "insecure-skip-tls-verify": true } }],
    users: [{ name: "admin", user: { token: "admin-token" } }],
    contexts: [{ name: "local", context: { cluster: "local", user: "admin" } }],
    "current-context": "local",
  });
