import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:http2";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeDataDir, startCoxswain } from "../clients/index.js";
import { parseKubeconfig } from "../upstream/index.js";
import type { Target, VictimKind } from "./attack.js";
import { measureWaits } from "./processor-time.js";

/** What a server holds while nobody asks it anything. */
export interface Holdings {
  readonly seats: number;
  readonly executing: number;
  readonly files: number;
  readonly timers: number;
  readonly residentMb: number;
}

/** A server of its own, with an administrator, a hostile user and one who minds their own business; both may do everything. */
export interface Victim {
  readonly hostile: Target;
  readonly bystander: Target;
  /** As an administrator, whom fairness never keeps waiting. */
  request(method: string, path: string, body?: unknown): Promise<{ readonly status: number; readonly text: string }>;
  holdings(): Promise<Holdings>;
  /** How long it was ready to run and did not get a processor, in milliseconds, since its start. */
  waitedMs(): number;
  /** What it has logged. */
  output(): string;
  /** The exit code. May be called more than once. */
  stop(): Promise<number | null>;
}

export interface VictimOptions {
  readonly launcher?: string;
  /** @default "apiserver" */
  readonly kind?: VictimKind;
}

export async function startVictim({ launcher, kind = "apiserver" }: VictimOptions = {}): Promise<Victim> {
  const folder = mkdtempSync(join(tmpdir(), "coxswain-hostile-"));
  const tokens = join(folder, "tokens");
  writeFileSync(tokens, "hostile-token,hostile,1\nbystander-token,bystander,2\n");
  const server = await startCoxswain({
    command: kind === "cluster" ? "up" : "apiserver",
    args: [kind === "cluster" ? "--in-memory" : "--storage=memory", "--log-level=error", `--token-auth-file=${tokens}`],
    ...(launcher === undefined ? {} : { launcher }),
  });
  const access = parseKubeconfig(readFileSync(server.kubeconfig, "utf8"));
  const tls = { ca: access.certificateAuthority };
  const request: Victim["request"] = (method, path, body) =>
    new Promise((resolve, reject) => {
      const session = connect(access.server, { ...tls, cert: access.clientCertificate, key: access.clientKey });
      session.on("error", reject);
      const stream = session.request({ ":method": method, ":path": path, "content-type": "application/json" });
      let status = 0;
      let text = "";
      stream.on("response", (headers) => (status = headers[":status"] ?? 0));
      stream.on("error", reject);
      stream.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      stream.on("end", () => {
        session.close();
        resolve({ status, text });
      });
      stream.end(body === undefined ? undefined : JSON.stringify(body));
    });
  await request("POST", "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings", {
    metadata: { name: "tenants" },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "cluster-admin" },
    subjects: ["hostile", "bystander"].map((name) => ({ apiGroup: "rbac.authorization.k8s.io", kind: "User", name })),
  });
  await request("POST", "/api/v1/namespaces/default/configmaps", { metadata: { name: "patched" }, data: { a: "b" } });
  // Something to list: 20 MB.
  for (let at = 0; at < 40; at++)
    await request("POST", "/api/v1/namespaces/default/configmaps", {
      metadata: { name: `filled-${at}` },
      data: { a: "x".repeat(500_000) },
    });
  const stop = async (): Promise<number | null> => {
    const code = await server.stop();
    removeDataDir(server);
    rmSync(folder, { recursive: true, force: true });
    return code;
  };
  let stopped: Promise<number | null> | undefined;
  const target = (token: string): Target => ({ port: server.port, tls, token });
  return {
    hostile: target("hostile-token"),
    bystander: target("bystander-token"),
    request,
    async holdings() {
      const { text } = await request("GET", "/metrics");
      const sum = (name: string): number =>
        text
          .split("\n")
          .filter((line) => line.startsWith(name))
          .reduce((total, line) => total + Number(line.slice(line.lastIndexOf(" "))), 0);
      return {
        seats: sum("apiserver_flowcontrol_current_executing_seats{"),
        executing: sum("apiserver_flowcontrol_current_executing_requests{"),
        files: sum("process_open_fds"),
        timers: sum("nodejs_active_timers"),
        residentMb: Math.round(sum("process_resident_memory_bytes") / (1 << 20)),
      };
    },
    waitedMs: measureWaits(server.pid),
    output: () => server.output(),
    stop: () => (stopped ??= stop()),
  };
}
