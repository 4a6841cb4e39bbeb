import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { createGrpcServer, GrpcError, type GrpcServer, serveUnary } from "@coxswain/wire/grpc";
import { NodeServiceCapabilityRPCType as Capability, identity, node } from "../gen/csi.js";
import { registration } from "../gen/plugin-registration.js";

/** What a driver of a test is, and does. */
export interface FakeCsiOptions {
  /** For its sockets; paths of sockets are short. */
  readonly directory: string;
  /** Where it registers. */
  readonly registry: string;
  readonly name?: string;
  readonly versions?: readonly string[];
  readonly type?: string;
  readonly capabilities?: readonly (keyof typeof Capability)[];
  readonly nodeId?: string;
  readonly maxVolumes?: number;
  readonly topology?: Readonly<Record<string, string>>;
}

/** A storage driver in this process, over gRPC on Unix sockets. It makes directories in place of mounts. */
export class FakeCsi {
  /** Calls with what matters of them, in order: `stage v1`. */
  readonly calls: string[] = [];
  readonly requests: Record<string, Record<string, unknown>> = {};
  /** By call: an error that it fails with, as long as it is set. */
  readonly faults = new Map<string, GrpcError>();
  readonly #hanging = new Set<string>();
  /** What kubelets notified it of. */
  readonly registrations: string[] = [];
  readonly #options: FakeCsiOptions;
  #servers: GrpcServer[] = [];

  constructor(options: FakeCsiOptions) {
    this.#options = options;
  }

  get name(): string {
    return this.#options.name ?? "fake.csi.example.com";
  }

  get endpoint(): string {
    return join(this.#options.directory, `${this.name}.sock`);
  }

  get socket(): string {
    return join(this.#options.registry, `${this.name}-reg.sock`);
  }

  async start(): Promise<void> {
    const { versions = ["1.0.0"], type = "CSIPlugin", capabilities = ["STAGE_UNSTAGE_VOLUME"] } = this.#options;
    const { nodeId = "node-id", maxVolumes = 0, topology } = this.#options;
    const note = async <T extends object>(call: string, request: { volumeId: string }, answer: T): Promise<T> => {
      this.calls.push(`${call} ${request.volumeId}`);
      this.requests[call] = request as Record<string, unknown>;
      const fault = this.faults.get(call);
      if (fault) throw fault;
      if (this.#hanging.has(call)) await new Promise(() => {});
      return answer;
    };
    await rm(this.endpoint, { force: true });
    const driver = await createGrpcServer({
      listen: { path: this.endpoint },
      methods: [
        serveUnary(identity.getPluginInfo, async () => ({ name: this.name, vendorVersion: "1" })),
        serveUnary(node.nodeGetCapabilities, async () => ({
          capabilities: capabilities.map((each) => ({ rpc: { type: Capability[each] } })),
        })),
        serveUnary(node.nodeGetInfo, async () => ({
          nodeId,
          maxVolumesPerNode: maxVolumes,
          ...(topology && { accessibleTopology: { segments: new Map(Object.entries(topology)) } }),
        })),
        serveUnary(node.nodeStageVolume, (request) => note("stage", request, {})),
        serveUnary(node.nodeUnstageVolume, (request) => note("unstage", request, {})),
        serveUnary(node.nodePublishVolume, async (request) => {
          const answer = await note("publish", request, {});
          await mkdir(request.targetPath, { recursive: true });
          return answer;
        }),
        serveUnary(node.nodeUnpublishVolume, async (request) => {
          const answer = await note("unpublish", request, {});
          await rm(request.targetPath, { recursive: true, force: true });
          return answer;
        }),
        serveUnary(node.nodeExpandVolume, (request) => note("expand", request, { capacityBytes: 0 })),
        serveUnary(node.nodeGetVolumeStats, (request) =>
          note("stats", request, {
            usage: [
              { available: 60, total: 100, used: 40, unit: 1 },
              { available: 6, total: 10, used: 4, unit: 2 },
            ],
          }),
        ),
      ],
    });
    const registrar = await createGrpcServer({
      listen: { path: this.socket },
      methods: [
        serveUnary(registration.getInfo, async () => ({
          type,
          name: this.name,
          endpoint: this.endpoint,
          supportedVersions: [...versions],
        })),
        serveUnary(registration.notifyRegistrationStatus, async ({ pluginRegistered, error }) => {
          this.registrations.push(pluginRegistered ? "registered" : error);
          return {};
        }),
      ],
    });
    this.#servers = [driver, registrar];
  }

  /** Its sockets go, too. */
  async stop(): Promise<void> {
    for (const server of this.#servers) await server.close();
    this.#servers = [];
    await rm(this.socket, { force: true });
    await rm(this.endpoint, { force: true });
  }

  /** From now on the call is begun, and never answered. */
  hang(call: string): void {
    this.#hanging.add(call);
  }

  fail(call: string, code: GrpcError["code"], message: string): void {
    this.faults.set(call, new GrpcError(code, message));
  }
}
