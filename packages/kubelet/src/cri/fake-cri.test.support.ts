import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import {
  createGrpcServer,
  GrpcError,
  type GrpcServer,
  type ServedMethod,
  serveStream,
  serveUnary,
} from "@coxswain/wire/grpc";
import type { Decoded, Encodable } from "@coxswain/wire/protobuf";
import {
  type ContainerConfig,
  type ContainerEventResponse,
  ContainerEventType,
  ContainerState,
  imageService,
  type PodSandboxConfig,
  PodSandboxState,
  runtimeService,
} from "../gen/cri.js";

interface FakeSandbox {
  readonly id: string;
  readonly config: Decoded<typeof PodSandboxConfig>;
  state: number;
  readonly createdAt: number;
}

interface FakeContainer {
  readonly id: string;
  readonly sandbox: FakeSandbox;
  readonly config: Decoded<typeof ContainerConfig>;
  linux: NonNullable<Decoded<typeof ContainerConfig>["linux"]>["resources"];
  state: number;
  exitCode: number;
  readonly createdAt: number;
  startedAt: number;
  finishedAt: number;
}

/** What goes wrong, while it is set. */
export interface CriFaults {
  /** Every call is refused. */
  unavailable: boolean;
  /** The runtime knows no events, as containerd 1.6. */
  withoutEvents: boolean;
  /** Calls wait for it: a runtime that hangs, or is slow. */
  until: Promise<void> | undefined;
  /** Undefined: the runtime does not report it, as containerd 1.6. */
  cgroupDriver: number | undefined;
}

/**
 * A container runtime in memory, over gRPC on a Unix socket. Scripts of containers know `echo`, `sleep` and `exit`; their output goes to
 * log files as a runtime writes them.
 */
export class FakeCri {
  readonly faults: CriFaults = { unavailable: false, withoutEvents: false, until: undefined, cgroupDriver: undefined };
  readonly image = "localhost/fake/busybox:1";
  readonly #sandboxes = new Map<string, FakeSandbox>();
  readonly #containers = new Map<string, FakeContainer>();
  readonly #watchers = new Set<{ send(event: Encodable<typeof ContainerEventResponse>): void; cut(): void }>();
  readonly #folder: string;
  #server: GrpcServer | undefined;
  #count = 0;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static async start(): Promise<FakeCri> {
    const fake = new FakeCri(await mkdtemp(join(tmpdir(), "coxswain-fake-cri-")));
    await fake.listen();
    return fake;
  }

  get endpoint(): string {
    return `unix://${this.#socket}`;
  }

  get #socket(): string {
    return join(this.#folder, "cri.sock");
  }

  async listen(): Promise<void> {
    await rm(this.#socket, { force: true });
    this.#server = await createGrpcServer({ methods: this.#methods(), listen: { path: this.#socket } });
  }

  /** As when the runtime is ended: connections and streams break; what ran goes on. */
  async crash(): Promise<void> {
    await this.#server?.close();
    this.#server = undefined;
  }

  /** Ends the streams of events only. */
  cutStreams(): void {
    for (const watcher of this.#watchers) watcher.cut();
  }

  async stop(): Promise<void> {
    await this.crash();
    await rm(this.#folder, { recursive: true, force: true });
  }

  /** Ends a container from outside, as its own process does. No event is sent when `isSilent`. */
  end(id: string, exitCode: number, isSilent = false): void {
    const container = this.#containers.get(id);
    if (!container || container.state === ContainerState.CONTAINER_EXITED) return;
    Object.assign(container, { state: ContainerState.CONTAINER_EXITED, exitCode, finishedAt: this.#tick() });
    if (!isSilent) this.#notify(container, ContainerEventType.CONTAINER_STOPPED_EVENT);
  }

  /** Nanoseconds that only grow. */
  #tick(): number {
    return 1_700_000_000_000_000_000 + ++this.#count * 1_000_000_000;
  }

  #id(): string {
    return String(++this.#count).padStart(64, "0");
  }

  #notify(container: FakeContainer, containerEventType: number): void {
    const event = {
      containerId: container.id,
      containerEventType,
      podSandboxStatus: this.#statusOf(container.sandbox),
    };
    for (const watcher of this.#watchers) watcher.send(event);
  }

  #check(): void {
    if (this.faults.unavailable) throw new GrpcError("UNAVAILABLE", "the runtime is not there");
  }

  #methods(): ServedMethod[] {
    const all = [...this.#sandboxMethods(), ...this.#containerMethods(), ...this.#otherMethods()];
    return all.map((served) => ({
      ...served,
      handle: async (call) => {
        await this.faults.until;
        return served.handle(call);
      },
    }));
  }

  #sandboxMethods(): ServedMethod[] {
    return [
      serveUnary(runtimeService.runPodSandbox, ({ config }) => {
        this.#check();
        if (!config) throw new GrpcError("INVALID_ARGUMENT", "no configuration");
        const id = this.#id();
        const state = PodSandboxState.SANDBOX_READY;
        this.#sandboxes.set(id, { id, config, state, createdAt: this.#tick() });
        return { podSandboxId: id };
      }),
      serveUnary(runtimeService.stopPodSandbox, ({ podSandboxId }) => {
        this.#check();
        for (const { id, sandbox } of this.#containers.values()) if (sandbox.id === podSandboxId) this.end(id, 137);
        const sandbox = this.#sandboxes.get(podSandboxId);
        if (sandbox) sandbox.state = PodSandboxState.SANDBOX_NOTREADY;
        return {};
      }),
      serveUnary(runtimeService.removePodSandbox, ({ podSandboxId }) => {
        this.#check();
        this.#sandboxes.delete(podSandboxId);
        for (const { id, sandbox } of this.#containers.values())
          if (sandbox.id === podSandboxId) this.#containers.delete(id);
        return {};
      }),
      serveUnary(runtimeService.podSandboxStatus, ({ podSandboxId }) => {
        this.#check();
        const sandbox = this.#sandboxes.get(podSandboxId);
        if (!sandbox) throw new GrpcError("NOT_FOUND", "sandbox: not found");
        return { status: this.#statusOf(sandbox) };
      }),
      serveUnary(runtimeService.listPodSandbox, ({ filter }) => {
        this.#check();
        const items = [...this.#sandboxes.values()]
          .filter(({ config }) => matches(config.labels, filter?.labelSelector))
          .map(({ id, config, state, createdAt }) => ({
            id,
            metadata: config.metadata,
            state,
            createdAt,
            labels: config.labels,
            annotations: config.annotations,
          }));
        return { items };
      }),
    ];
  }

  #containerMethods(): ServedMethod[] {
    const find = (id: string): FakeContainer => {
      this.#check();
      const container = this.#containers.get(id);
      if (!container) throw new GrpcError("NOT_FOUND", `container "${id}": not found`);
      return container;
    };
    return [
      serveUnary(runtimeService.createContainer, ({ podSandboxId, config }) => {
        this.#check();
        const sandbox = this.#sandboxes.get(podSandboxId);
        if (!sandbox || !config) throw new GrpcError("NOT_FOUND", "sandbox: not found");
        const id = this.#id();
        const state = ContainerState.CONTAINER_CREATED;
        const times = { createdAt: this.#tick(), startedAt: 0, finishedAt: 0 };
        this.#containers.set(id, { id, sandbox, config, linux: config.linux?.resources, state, exitCode: 0, ...times });
        return { containerId: id };
      }),
      serveUnary(runtimeService.startContainer, async ({ containerId }) => {
        const container = find(containerId);
        Object.assign(container, { state: ContainerState.CONTAINER_RUNNING, startedAt: this.#tick() });
        this.#notify(container, ContainerEventType.CONTAINER_STARTED_EVENT);
        const { stdout, stderr, exitCode, sleeps } = runScript(container.config.command.at(-1) ?? "");
        const { logDirectory } = container.sandbox.config;
        const path = join(logDirectory, container.config.logPath);
        await mkdir(dirname(path), { recursive: true });
        await writeFile(path, [...logLines("stdout", stdout), ...logLines("stderr", stderr)].join(""));
        if (!sleeps) this.end(containerId, exitCode);
        return {};
      }),
      serveUnary(runtimeService.stopContainer, ({ containerId }) => {
        this.end(find(containerId).id, 137);
        return {};
      }),
      serveUnary(runtimeService.removeContainer, ({ containerId }) => {
        this.#check();
        this.#containers.delete(containerId);
        return {};
      }),
      serveUnary(runtimeService.listContainers, ({ filter }) => {
        this.#check();
        const containers = [...this.#containers.values()]
          .filter(({ config }) => matches(config.labels, filter?.labelSelector))
          .map(({ id, sandbox, config, state, createdAt }) => ({
            id,
            podSandboxId: sandbox.id,
            metadata: config.metadata,
            state,
            createdAt,
            labels: config.labels,
            annotations: config.annotations,
          }));
        return { containers };
      }),
      serveUnary(runtimeService.containerStatus, ({ containerId }) => {
        const { id, config, linux, sandbox, ...times } = find(containerId);
        const reason =
          times.state !== ContainerState.CONTAINER_EXITED ? "" : times.exitCode === 0 ? "Completed" : "Error";
        const { metadata, image, labels, annotations, mounts } = config;
        const logPath = join(sandbox.config.logDirectory, config.logPath);
        const imageRef = "sha256:1";
        const named = { metadata, image, imageRef, labels, annotations, mounts, logPath };
        return { status: { id, ...named, ...times, reason, resources: { linux } } };
      }),
      serveUnary(runtimeService.updateContainerResources, ({ containerId, linux }) => {
        find(containerId).linux = linux;
        return {};
      }),
      serveUnary(runtimeService.execSync, ({ containerId, cmd }) => {
        find(containerId);
        const { stdout, stderr, exitCode, sleeps } = runScript(cmd[0] === "sh" ? (cmd.at(-1) ?? "") : cmd.join(" "));
        if (sleeps) throw new GrpcError("DEADLINE_EXCEEDED", "timeout 1s exceeded");
        return { stdout: Buffer.from(stdout), stderr: Buffer.from(stderr), exitCode };
      }),
    ];
  }

  #otherMethods(): ServedMethod[] {
    const image = { id: "sha256:1", repoTags: [this.image], size: 1000 };
    return [
      serveUnary(runtimeService.version, () => {
        this.#check();
        return { version: "0.1.0", runtimeName: "fake", runtimeVersion: "1", runtimeApiVersion: "v1" };
      }),
      serveUnary(runtimeService.runtimeConfig, () => {
        const { cgroupDriver } = this.faults;
        if (cgroupDriver === undefined) throw new GrpcError("UNIMPLEMENTED", "unknown method RuntimeConfig");
        return { linux: { cgroupDriver } };
      }),
      serveUnary(runtimeService.status, () => {
        this.#check();
        const conditions = ["RuntimeReady", "NetworkReady"].map((type) => ({ type, status: true }));
        return { status: { conditions } };
      }),
      serveUnary(imageService.imageStatus, ({ image: asked }) => (asked?.image === this.image ? { image } : {})),
      serveUnary(imageService.listImages, () => ({ images: [image] })),
      serveUnary(imageService.removeImage, () => {
        throw new GrpcError("NOT_FOUND", "image: not found");
      }),
      serveUnary(runtimeService.checkpointContainer, async ({ containerId, location }) => {
        if (!this.#containers.has(containerId)) throw new GrpcError("NOT_FOUND", "container: not found");
        await writeFile(location, "state");
        return {};
      }),
      serveUnary(runtimeService.listPodSandboxStats, () => ({
        stats: [...this.#sandboxes.values()].map(({ id, config }) => ({
          attributes: { id, metadata: config.metadata },
          linux: {
            containers: [...this.#containers.values()]
              .filter(({ sandbox }) => sandbox.id === id)
              .map((each) => ({ attributes: { id: each.id, labels: each.config.labels } })),
          },
        })),
      })),
      serveStream(runtimeService.getContainerEvents, async (call) => {
        if (this.faults.withoutEvents) throw new GrpcError("UNIMPLEMENTED", "unknown method GetContainerEvents");
        await new Promise<void>((resolve) => {
          const watcher = {
            send: (event: Encodable<typeof ContainerEventResponse>) => void call.send(event),
            cut: resolve,
          };
          this.#watchers.add(watcher);
          call.signal.addEventListener("abort", () => resolve(), { once: true });
        });
      }),
    ];
  }

  #statusOf({ id, config, state, createdAt }: FakeSandbox) {
    const { metadata, labels, annotations } = config;
    const isReady = state === PodSandboxState.SANDBOX_READY;
    return { id, metadata, state, createdAt, labels, annotations, network: { ip: isReady ? "10.0.0.2" : "" } };
  }
}

const matches = (labels: ReadonlyMap<string, string>, wanted: ReadonlyMap<string, string> | undefined): boolean =>
  [...(wanted ?? [])].every(([key, value]) => labels.get(key) === value);

const logLines = (stream: string, output: string): string[] =>
  output
    .split("\n")
    .slice(0, -1)
    .map((line) => `2026-01-01T00:00:00.000000001Z ${stream} F ${line}\n`);

function runScript(script: string): { stdout: string; stderr: string; exitCode: number; sleeps: boolean } {
  let [stdout, stderr, exitCode, sleeps] = ["", "", 0, false];
  for (const command of script.split(";").map((each) => each.trim())) {
    const [name, ...words] = command.split(" ");
    if (name === "echo" && words.at(-1) === ">&2") stderr += `${words.slice(0, -1).join(" ")}\n`;
    else if (name === "echo") stdout += `${words.join(" ")}\n`;
    if (name === "exit") exitCode = Number(words[0]);
    if (name === "sleep") sleeps = true;
  }
  return { stdout, stderr, exitCode, sleeps };
}
