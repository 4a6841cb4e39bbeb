import { cpSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ownLauncher } from "../../clients/index.js";
import { ensureProgram, startProcess } from "../../upstream/index.js";
import { EtcdGateway } from "./etcd-gateway.js";
import { clientAddress, type Machine } from "./machines.js";
import { ports } from "./ports.js";
import { runService, type Service } from "./service.js";

/** A machine with what runs on it. */
export interface ControlMachine extends Machine {
  readonly member: Service;
  readonly etcd: EtcdGateway;
  readonly server: Service;
  /** `https://…` */
  readonly url: string;
  /** Begins the API server with this launcher from its next start on. */
  useBuild(launcher: string): void;
}

export interface ControlPlane {
  readonly machines: readonly ControlMachine[];
  /** Of an administrator, in PEM. */
  readonly credentials: { readonly ca: Buffer; readonly cert: Buffer; readonly key: Buffer };
  readonly kubeconfig: string;
  stop(): Promise<void>;
}

/**
 * A member of etcd and an API server on each machine, as docs/production.md has them.
 * @param launcher of another build @default the one in this checkout
 */
export async function startControlPlane(
  folder: string,
  machines: readonly Machine[],
  launcher = ownLauncher,
): Promise<ControlPlane> {
  const etcd = await ensureProgram("etcd");
  const etcdUrl = ({ address }: Machine): string => `http://${address}:${ports.etcd}`;
  const peerUrl = ({ address }: Machine): string => `http://${address}:${ports.peer}`;
  const launch = (machine: Machine, name: string, command: readonly string[]) => {
    const [program = "", ...args] = machine.inside(command);
    return startProcess({ name, command: program, args, logFile: join(homeOf(machine), `${name}.log`) });
  };
  const homeOf = ({ index }: Machine): string => join(folder, `machine-${index + 1}`);
  const startMember = (machine: Machine): Service => {
    const args = [
      `--name=member-${machine.index}`,
      `--data-dir=${join(homeOf(machine), "etcd")}`,
      `--listen-client-urls=${etcdUrl(machine)}`,
      `--advertise-client-urls=${etcdUrl(machine)}`,
      `--listen-peer-urls=${peerUrl(machine)}`,
      `--initial-advertise-peer-urls=${peerUrl(machine)}`,
      `--initial-cluster=${machines.map((each) => `member-${each.index}=${peerUrl(each)}`).join(",")}`,
      "--log-level=warn",
    ];
    return runService(() => launch(machine, "etcd", [etcd, ...args]));
  };
  const startServer = (machine: Machine) => {
    const begin = (program: string) => () =>
      launch(machine, "apiserver", [
        process.execPath,
        program,
        "apiserver",
        `--data-dir=${homeOf(machine)}`,
        `--bind-address=${machine.address}`,
        `--secure-port=${ports.server}`,
        `--etcd-servers=${machines.map(etcdUrl).join(",")}`,
        "--etcd-compaction-interval=0",
        `--external-hostname=${clientAddress}`,
      ]);
    const server = runService(begin(launcher));
    return { server, useBuild: (next: string) => server.start(begin(next)) };
  };
  for (const machine of machines) mkdirSync(homeOf(machine), { recursive: true });
  const members = machines.map(startMember);
  const controlled: ControlMachine[] = [];
  const pki = join(folder, "machine-1/pki");
  for (const machine of machines) {
    // The first makes the authorities; the others get a copy and make certificates of their own.
    if (machine.index > 0) cpSync(pki, join(homeOf(machine), "pki"), { recursive: true });
    controlled.push({
      ...machine,
      ...startServer(machine),
      member: members[machine.index]!,
      etcd: new EtcdGateway(etcdUrl(machine)),
      url: `https://${machine.address}:${ports.server}`,
    });
    const isServing = (): boolean => existsSync(join(homeOf(machine), "kubeconfig"));
    for (let tries = 0; machine.index === 0 && !isServing(); tries++) {
      if (tries > 600) throw new Error(`the first API server does not start; its log is in ${homeOf(machine)}`);
      await sleep(100);
    }
  }
  const read = (file: string): Buffer => readFileSync(join(pki, file));
  return {
    machines: controlled,
    credentials: { ca: read("ca.crt"), cert: read("admin.crt"), key: read("admin.key") },
    kubeconfig: join(folder, "machine-1/kubeconfig"),
    async stop() {
      await Promise.all(controlled.flatMap(({ member, server }) => [member.kill(), server.kill()]));
    },
  };
}
