import { mkdir, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { listenForParts } from "@coxswain/apiserver";
import { createRemoteNodes, drawToken, type PartName, partNames, tokenCheck, userOfPart } from "@coxswain/cluster";
import { simulatedAddresses } from "@coxswain/kubelet";
import type { Runtime } from "@coxswain/runtime";
import { socketAddress } from "@coxswain/storage/socket";
import type { RunningServer } from "../../apiserver/run-apiserver.js";
import type { ClusterComponents } from "../cluster-components.js";
import type { ControlChoices } from "../control-settings.js";
import type { SimulatedSettings, SimulationChoices } from "../simulated-settings.js";
import type { PartLog, PartMessage } from "./part-plan.js";
import { PartProcess } from "./part-process.js";

export interface PartsOptions {
  /** Their sockets are in a folder of it. */
  readonly dataDir: string;
  readonly running: RunningServer;
  readonly log: PartLog;
  readonly featureGates: ReadonlyMap<string, string>;
  readonly simulation: SimulationChoices;
  readonly specs: SimulatedSettings["specs"];
  readonly volumesDirectory: string | undefined;
  readonly apiServer: { readonly host: string; readonly port: number };
  readonly serviceCidrs: readonly string[];
  readonly control: ControlChoices;
  readonly schedulerConfig: string | undefined;
}

const titles: Record<PartName, string> = { nodes: "simulated nodes", control: "controllers and the scheduler" };

/** Runs simulated nodes, and controllers and scheduler, in processes of their own. They reach the API server by a Unix socket, and it the nodes by another one. */
export async function startParts(runtime: Runtime, options: PartsOptions): Promise<ClusterComponents> {
  const { running, specs } = options;
  const folder = join(resolve(options.dataDir), "parts");
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { mode: 0o700 });
  const [socket, nodesSocket] = [join(folder, "api.sock"), join(folder, "nodes.sock")];
  const users = createPartUsers(runtime, specs);
  const listener = await listenForParts(
    { path: socketAddress(socket).path, identify: users.identify, runtime },
    (request, sink) => running.server.serve(request, sink),
  );
  const nodesToken = drawToken(runtime.random);
  const owned = simulatedAddresses(specs);
  const remote = createRemoteNodes({
    socketPath: socketAddress(nodesSocket).path,
    token: nodesToken,
    owns: (host) => owned.has(host),
  });
  if (specs.length > 0) running.server.connectInside(remote.connections);
  let controllers: readonly string[] = [];
  const onMessage = (message: PartMessage): void => {
    if (message.kind === "owned") owned.addRange(message.cidr);
    else if (message.controllers.length > 0) controllers = message.controllers;
  };
  const shared = { socket, featureGates: [...options.featureGates], log: options.log };
  const control = new PartProcess(runtime, {
    name: "control",
    title: titles.control,
    onMessage,
    plan: () => ({
      ...shared,
      part: "control",
      token: users.draw("control"),
      control: options.control,
      schedulerConfig: options.schedulerConfig,
      serviceAccountKey: running.certificates.serviceAccount.privateKey,
      authority: running.certificatesNow().ca,
    }),
  });
  running.onRenewed(({ ca }) => control.send({ kind: "renewed", authority: ca }));
  const nodes =
    specs.length === 0
      ? undefined
      : new PartProcess(runtime, {
          name: "nodes",
          title: titles.nodes,
          onMessage,
          plan: () => ({
            ...shared,
            part: "nodes",
            token: users.draw("nodes"),
            simulation: options.simulation,
            volumesDirectory: options.volumesDirectory,
            served: { socket: nodesSocket, token: nodesToken },
            apiServer: options.apiServer,
            serviceCidrs: options.serviceCidrs,
          }),
        });
  return {
    ready: Promise.all([control.ready, nodes?.ready]).then(() => undefined),
    get areReady() {
      return control.isReady && nodes?.isReady !== false;
    },
    get controllers() {
      return controllers;
    },
    usage: remote.usage,
    async stop() {
      // Nodes first: what they still report is worth a write, and nobody has to react to it.
      await nodes?.stop();
      await control.stop();
      await listener.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Which part a request is of, by a token that each gets anew when it is started, and whether that part may be the user that the request names. */
function createPartUsers({ random }: Runtime, specs: PartsOptions["specs"]) {
  const checks = new Map<PartName, (token: string) => boolean>();
  const nodes = new Set(specs.map(({ name }) => name));
  const isNode = (name: string): boolean => nodes.has(name);
  return {
    draw(part: PartName): string {
      const token = drawToken(random);
      checks.set(part, tokenCheck(token));
      return token;
    },
    identify({ token, user }: { readonly token: string; readonly user: string }) {
      const part = partNames.find((name) => checks.get(name)?.(token));
      return part && userOfPart(part, user, isNode);
    },
  };
}
