import { writeFile } from "node:fs/promises";
import { request } from "node:https";
import { join } from "node:path";
import { ensureProgram } from "./build.js";
import { createCertificates } from "./certificates.js";
import { freePorts } from "./free-port.js";
import type { ClusterAccess } from "./kubeconfig.js";
import { formatKubeconfig } from "./kubeconfig.js";
import { startProcess } from "./managed-process.js";

export interface KubeApiserverOptions {
  /** Holds certificates, the kubeconfig and the log; must exist. */
  folder: string;
  /** Where etcd listens. */
  etcdUrl: string;
  /** @default "AlwaysAllow" */
  authorizationMode?: string;
  /** Beyond upstream's default ones. @default none */
  enableAdmissionPlugins?: readonly string[];
  /** Without a controller manager no namespace has a service account, so pods need ServiceAccount off. @default ["ServiceAccount"] */
  disableAdmissionPlugins?: readonly string[];
  /** Further flags, as written on a command line; a flag given here wins over ours. */
  flags?: readonly string[];
  /** Of an administrator, where flags make the server refuse the client certificate that was made for one. */
  token?: string;
  /** How often readiness is asked for; the shorter, the truer a measured start. @default 50 */
  pollIntervalMs?: number;
  /** The path whose first answer means ready. @default "/readyz" */
  readyPath?: string;
}

export interface KubeApiserver {
  readonly access: ClusterAccess;
  readonly kubeconfigFile: string;
  readonly pid: number;
  /** From the command to readiness, in milliseconds. */
  readonly startMs: number;
  /** Resolves when the process is gone, however it ended. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

/** Starts kube-apiserver on loopback over TLS and waits until it is ready. */
export async function startKubeApiserver(options: KubeApiserverOptions): Promise<KubeApiserver> {
  const command = await ensureProgram("kube-apiserver");
  const files = await createCertificates(options.folder);
  const [port] = await freePorts(1);
  const url = `https://127.0.0.1:${port}`;
  const access: ClusterAccess =
    options.token === undefined
      ? { server: url, ...files.admin }
      : { server: url, certificateAuthority: files.admin.certificateAuthority, token: options.token };
  const kubeconfigFile = join(options.folder, "kubeconfig");
  await writeFile(kubeconfigFile, formatKubeconfig(access), { mode: 0o600 });
  const disabled = options.disableAdmissionPlugins ?? ["ServiceAccount"];
  const enabled = options.enableAdmissionPlugins ?? [];
  const began = performance.now();
  const server = startProcess({
    name: "kube-apiserver",
    command,
    logFile: join(options.folder, "kube-apiserver.log"),
    args: [
      `--etcd-servers=${options.etcdUrl}`,
      "--bind-address=127.0.0.1",
      // Without it the server looks for the address of a default route, which a sealed-off machine does not have.
      "--advertise-address=127.0.0.1",
      `--secure-port=${port}`,
      `--tls-cert-file=${files.serverCertificate}`,
      `--tls-private-key-file=${files.serverKey}`,
      `--client-ca-file=${files.ca}`,
      `--service-account-key-file=${files.serviceAccountKey}`,
      `--service-account-signing-key-file=${files.serviceAccountKey}`,
      "--service-account-issuer=https://kubernetes.default.svc",
      "--service-cluster-ip-range=10.0.0.0/24",
      `--authorization-mode=${options.authorizationMode ?? "AlwaysAllow"}`,
      "--allow-privileged=true",
      ...(disabled.length > 0 ? [`--disable-admission-plugins=${disabled.join(",")}`] : []),
      ...(enabled.length > 0 ? [`--enable-admission-plugins=${enabled.join(",")}`] : []),
      ...(options.flags ?? []),
    ],
  });
  try {
    const ready = (): Promise<boolean> => answersOk(access, options.readyPath ?? "/readyz");
    await server.waitUntil(ready, { timeoutMs: 120_000, intervalMs: options.pollIntervalMs ?? 50 });
  } catch (error) {
    await server.stop();
    throw error;
  }
  const startMs = performance.now() - began;
  return { access, kubeconfigFile, pid: server.pid, startMs, ended: server.ended, stop: () => server.stop() };
}

/** Whether a GET is answered with 200; a refused connection is a no. */
export function answersOk(access: ClusterAccess, path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const options = {
      ca: access.certificateAuthority,
      cert: access.clientCertificate,
      key: access.clientKey,
      agent: false as const,
      timeout: 5_000,
      headers: access.token === undefined ? {} : { authorization: `Bearer ${access.token}` },
    };
    const asked = request(`${access.server}${path}`, options, (answer) => {
      answer.resume();
      answer.on("end", () => resolve(answer.statusCode === 200));
      answer.on("error", () => resolve(false));
    });
    asked.on("timeout", () => asked.destroy());
    asked.on("error", () => resolve(false));
    asked.end();
  });
}
