import { join, resolve } from "node:path";
import { isForbidden, isNotFound } from "@coxswain/apimachinery/status";
import { connect } from "@coxswain/client/node";
import { ensureAuthority } from "@coxswain/component/certificates";
import { makeDirectory, writeFileAtomically } from "@coxswain/component/files";
import { FlagError } from "@coxswain/component/flags";
import { supervise } from "@coxswain/machines";
import type { Runtime } from "@coxswain/runtime";
import { endsWithParent } from "../../command/end-with-parent.js";
import { untilSignal } from "../../command/until-signal.js";
import { clientKubeconfig } from "../../component/client-kubeconfig.js";
import { type BootstrapToken, formatToken, tokenNamespace } from "../bootstrap-token.js";
import type { DiscoveredCluster } from "../discover-cluster.js";
import { systemdUnit } from "../plan-node-flags.js";
import { parseCertificateKey } from "./certificate-key.js";
import { type ControlPlaneFacts, controlPlaneName, factsFromData } from "./control-plane-facts.js";
import {
  type ControlPlaneProcess,
  componentKubeconfig,
  componentNames,
  planControlPlane,
} from "./plan-control-plane.js";
import { sharedKeysName, writeKeys } from "./shared-keys.js";

export interface JoinControlPlaneOptions {
  readonly cluster: DiscoveredCluster;
  readonly token: BootstrapToken;
  readonly certificateKey: string;
  readonly dataDir: string;
  readonly address: string;
  readonly port: number;
  readonly printUnit: boolean;
}

/** Milliseconds that its processes have to end. */
const graceMs = 15_000;

/** Makes this machine one more of the control plane: API server, controller manager and scheduler. Answers the exit code. */
export async function joinControlPlane(runtime: Runtime, options: JoinControlPlaneOptions): Promise<number> {
  const { cluster, address, port } = options;
  const dataDir = resolve(options.dataDir);
  const key = parseCertificateKey(options.certificateKey);
  const { secret, facts } = await download(options);
  makeDirectory(dataDir);
  const { hasEtcd } = writeKeys(secret, dataDir, key);
  writeKubeconfigs(runtime, dataDir, cluster.server);
  const processes = planControlPlane({
    dataDir,
    server: cluster.server,
    address,
    port,
    facts,
    hasEtcdClient: hasEtcd,
  });
  process.stdout.write(
    `this machine has joined the control plane of ${cluster.server}; its API server is https://${address}:${port}, for the load balancer to know\n`,
  );
  if (!options.printUnit) return run(runtime, dataDir, processes);
  for (const { name, args } of processes)
    process.stdout.write(`# /etc/systemd/system/coxswain-${name}.service\n${systemdUnit(name, commandOf(args))}\n`);
  return 0;
}

/** @throws FlagError where there are no keys, for example because two hours have passed */
async function download({ cluster, token }: JoinControlPlaneOptions) {
  const client = connect({
    server: cluster.server,
    certificateAuthority: { data: cluster.authority },
    token: formatToken(token),
  });
  try {
    const { data = {} } = await client.core.v1.configmaps(tokenNamespace).get(controlPlaneName);
    const facts: ControlPlaneFacts | undefined = factsFromData(data);
    if (!facts) throw new FlagError(`the ConfigMap ${controlPlaneName} names no etcd`);
    return { secret: await client.core.v1.secrets(tokenNamespace).get(sharedKeysName), facts };
  } catch (error) {
    if (!isNotFound(error) && !isForbidden(error)) throw error;
    throw new FlagError(
      `the keys of the control plane are not there: coxswain token create --control-plane uploads them for two hours (${(error as Error).message})`,
    );
  } finally {
    await client.close();
  }
}

function writeKubeconfigs({ ioClock: clock, random }: Runtime, dataDir: string, server: string): void {
  const signing = ensureAuthority(join(dataDir, "pki"), "ca", { clock, random, commonName: "kubernetes" });
  for (const name of componentNames)
    writeFileAtomically(
      componentKubeconfig(dataDir, name),
      clientKubeconfig(signing, { clientName: `system:${name}`, server, clock, random }),
      0o600,
    );
}

const commandOf = (args: readonly string[]): string[] => [
  process.execPath,
  ...process.execArgv,
  resolve(process.argv[1] ?? ""),
  ...args,
];

/** In the foreground until a signal; what ends is started again. The processes end with this one, even where it is killed. */
async function run(runtime: Runtime, dataDir: string, processes: readonly ControlPlaneProcess[]): Promise<number> {
  const logs = join(dataDir, "logs");
  makeDirectory(logs);
  const signal = untilSignal();
  const running = processes.map(({ name, args }) =>
    supervise(runtime, {
      name,
      command: commandOf(args),
      env: { ...process.env, ...endsWithParent },
      logFile: join(logs, `${name}.log`),
      holdsInput: true,
    }),
  );
  await signal;
  // Leaders give up their leases while an API server still answers.
  for (const one of running.toReversed()) await one.stop(graceMs);
  return 0;
}
