import { join } from "node:path";
import type { Runtime } from "@coxswain/runtime";
import { createGrpcClient, type GrpcClient } from "@coxswain/wire/grpc";
import type { Decoded } from "@coxswain/wire/protobuf";
import { node } from "../gen/csi.js";
import { type PluginInfo, registration } from "../gen/plugin-registration.js";
import { type CsiDriver, connectDriver } from "./csi-driver.js";
import type { CsiDrivers } from "./csi-drivers.js";
import type { CsiNodeWriter } from "./csi-node.js";
import { type SocketWatcher, watchSockets } from "./socket-watcher.js";

export interface PluginRegistrationOptions {
  /** "/var/lib/kubelet". */
  readonly rootDir: string;
  readonly drivers: CsiDrivers;
  readonly nodes: CsiNodeWriter;
  readonly runtime: Pick<Runtime, "ioClock" | "random" | "log">;
}

/** Of a plugin's own answers; upstream waits one second for them. */
const answerMs = 1000;

/** Registers the storage drivers whose sockets appear in `plugins_registry`, as upstream's plugin manager and its CSI handler (pkg/kubelet/pluginmanager/plugin_manager.go, AddHandler). */
export function followPlugins({ rootDir, drivers, nodes, runtime }: PluginRegistrationOptions): Promise<SocketWatcher> {
  /** By socket. */
  const registered = new Map<string, CsiDriver>();

  async function install(info: Decoded<typeof PluginInfo>, endpoint: string, path: string): Promise<void> {
    const { name } = info;
    const version = checkPlugin(info, endpoint, drivers.find(name)?.version);
    const driver = connectDriver({ name, endpoint, version }, runtime);
    try {
      const { nodeId, maxVolumesPerNode, accessibleTopology } = await driver.call(node.nodeGetInfo, {});
      const topology = Object.fromEntries(accessibleTopology?.segments ?? []);
      await nodes.install(name, { nodeId, maxVolumes: Number(maxVolumesPerNode), topology });
    } catch (error) {
      await driver.close();
      throw new Error(`RegisterPlugin error -- plugin registration failed with err: ${(error as Error).message}`, {
        cause: error,
      });
    }
    await drivers.add(driver);
    registered.set(path, driver);
  }

  async function uninstall(path: string): Promise<void> {
    const driver = registered.get(path);
    if (!driver) return;
    registered.delete(path);
    const isReplaced = drivers.find(driver.name) !== driver;
    await drivers.remove(driver);
    if (!isReplaced) await nodes.uninstall(driver.name);
  }

  return watchSockets({
    directory: join(rootDir, "plugins_registry"),
    runtime,
    async onAdded(path) {
      const client = createGrpcClient({
        endpoints: [`unix://${path}`],
        clock: runtime.ioClock,
        random: runtime.random,
      });
      try {
        const info = await client.unary(registration.getInfo, {}, { timeoutMs: answerMs });
        const failure = await install(info, info.endpoint || path, path).then(
          () => undefined,
          (error: Error) => error,
        );
        await notify(client, failure?.message ?? "").catch(async (error: unknown) => {
          await uninstall(path);
          throw error;
        });
        if (failure) throw failure;
      } finally {
        await client.close();
      }
    },
    onRemoved: uninstall,
  });
}

const notify = (client: GrpcClient, error: string): Promise<unknown> =>
  client.unary(
    registration.notifyRegistrationStatus,
    { pluginRegistered: error === "", error },
    { timeoutMs: answerMs * 5 },
  );

/** Pure: the newest version that both sides speak: CSI 1.x. @throws Error in upstream's words */
export function checkPlugin(
  { type, name, supportedVersions }: Pick<Decoded<typeof PluginInfo>, "type" | "name" | "supportedVersions">,
  endpoint: string,
  registered: readonly number[] | undefined,
): readonly number[] {
  if (type !== "CSIPlugin")
    throw new Error(`RegisterPlugin error -- no handler registered for plugin type: ${type} at socket ${endpoint}`);
  const refuse = (problem: string): never => {
    throw new Error(
      `RegisterPlugin error -- plugin validation failed with err: validation failed for CSI Driver ${name} at endpoint ${endpoint}: kubernetes.io/csi: ValidatePlugin for CSI driver "${name}" failed. ${problem}`,
    );
  };
  if (supportedVersions.length === 0) return refuse("Plugin returned an empty list for supported versions");
  const versions = supportedVersions
    .filter((text) => /^v?1(?:\.\d{1,4}){1,2}$/.test(text))
    .map((text) => text.replace("v", "").split(".").map(Number))
    .toSorted((a, b) => compareVersions(b, a));
  const [newest] = versions;
  if (!newest) return refuse(`None of the versions specified ${JSON.stringify(supportedVersions)} are supported.`);
  if (registered && compareVersions(registered, newest) >= 0)
    return refuse(
      `Another driver with the same name is already registered with a higher supported version: "${registered.join(".")}"`,
    );
  return newest;
}

const compareVersions = (a: readonly number[], b: readonly number[]): number =>
  (a[0] ?? 0) - (b[0] ?? 0) || (a[1] ?? 0) - (b[1] ?? 0) || (a[2] ?? 0) - (b[2] ?? 0);
