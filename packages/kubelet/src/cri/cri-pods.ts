import type { ResourceRequirements } from "@coxswain/api/core/v1";
import type { DeepReadonly } from "@coxswain/api/types";
import type { Decoded } from "@coxswain/wire/protobuf";
import { type Container, type ContainerStatus, type PodSandbox, PodSandboxState, runtimeService } from "../gen/cri.js";
import {
  type ContainerRecord,
  noRuntimeStatus,
  type PodRuntimeStatus,
  RuntimeError,
  type RuntimePod,
  type SandboxRecord,
} from "../runtime/container-runtime.js";
import { type CriClient, hasCriCode } from "./cri-client.js";
import { labelNames } from "./labels.js";
import { readContainer, readPods, readSandbox } from "./read-status.js";

type ListedContainer = Decoded<typeof Container>;
type ListedSandbox = Decoded<typeof PodSandbox>;

export interface CriPodsOptions {
  readonly client: CriClient;
  /** What a container left in its file or its log. */
  terminationMessage(status: Decoded<typeof ContainerStatus>): Promise<string>;
}

/** What the runtime has of pods. What has ended does not change any more and is asked for once. */
export class CriPods {
  readonly #options: CriPodsOptions;
  readonly #ended = new Map<string, ContainerRecord>();
  /** Of sandboxes, by ID. */
  readonly #addresses = new Map<string, readonly string[]>();
  /** Resources that containers were given by this process, by ID. */
  readonly #given = new Map<string, DeepReadonly<ResourceRequirements>>();

  constructor(options: CriPodsOptions) {
    this.#options = options;
  }

  noteGiven(id: string, resources: DeepReadonly<ResourceRequirements>): void {
    this.#given.set(id, resources);
  }

  forget(id: string): void {
    this.#given.delete(id);
    this.#ended.delete(id);
    this.#addresses.delete(id);
  }

  /** Everything, or of one pod. */
  async list(
    podUid?: string,
  ): Promise<{ readonly sandboxes: readonly ListedSandbox[]; readonly containers: readonly ListedContainer[] }> {
    const { client } = this.#options;
    const filter = podUid === undefined ? {} : { labelSelector: new Map([[labelNames.podUid, podUid]]) };
    const [{ items: sandboxes }, { containers }] = await Promise.all([
      client.call(runtimeService.listPodSandbox, { filter }),
      client.call(runtimeService.listContainers, { filter }),
    ]);
    return { sandboxes, containers };
  }

  async listPods(): Promise<RuntimePod[]> {
    const { sandboxes, containers } = await this.list();
    return readPods(sandboxes, containers);
  }

  async podStatus(podUid: string): Promise<PodRuntimeStatus> {
    const listed = await this.list(podUid);
    if (listed.sandboxes.length === 0 && listed.containers.length === 0) return noRuntimeStatus;
    const [sandboxes, records] = await Promise.all([
      Promise.all(listed.sandboxes.map(({ id }) => this.#sandbox(id))),
      Promise.all(listed.containers.map((container) => this.#container(container))),
    ]);
    const containers = new Map<string, ContainerRecord[]>();
    for (const record of present(records).sort(newestFirst)) {
      const runs = containers.get(record.name);
      if (runs) runs.push(record);
      else containers.set(record.name, [record]);
    }
    return { sandboxes: present(sandboxes).sort(newestFirst), containers };
  }

  /** The one that takes connections. @throws RuntimeError */
  async readySandbox(podUid: string): Promise<string> {
    const { sandboxes } = await this.list(podUid);
    const ready = sandboxes.find(({ state }) => state === PodSandboxState.SANDBOX_READY);
    if (!ready) throw new RuntimeError(`failed to find sandbox for pod with UID "${podUid}"`);
    return ready.id;
  }

  async #sandbox(id: string): Promise<SandboxRecord | undefined> {
    const answer = await this.#ifThere(() =>
      this.#options.client.call(runtimeService.podSandboxStatus, { podSandboxId: id }),
    );
    return answer?.status && this.#withAddresses(readSandbox(answer.status));
  }

  /** A sandbox that was stopped has lost its addresses; the pod's status keeps them, as upstream's cache does (pkg/kubelet/pleg, `getPodIPs`). */
  #withAddresses(sandbox: SandboxRecord): SandboxRecord {
    if (sandbox.ips.length === 0) return { ...sandbox, ips: this.#addresses.get(sandbox.id) ?? [] };
    this.#addresses.set(sandbox.id, sandbox.ips);
    return sandbox;
  }

  async #container({ id, podSandboxId: sandboxId }: ListedContainer): Promise<ContainerRecord | undefined> {
    const known = this.#ended.get(id);
    if (known) return known;
    const status = await this.containerStatus(id);
    if (!status) return undefined;
    const terminationMessage = await this.#options.terminationMessage(status);
    const record = readContainer(status, { sandboxId, given: this.#given.get(id), terminationMessage });
    if (record.state === "exited") this.#ended.set(id, record);
    return record;
  }

  /** Undefined: it is gone. */
  async containerStatus(id: string): Promise<Decoded<typeof ContainerStatus> | undefined> {
    const { client } = this.#options;
    const answer = await this.#ifThere(() => client.call(runtimeService.containerStatus, { containerId: id }));
    return answer?.status;
  }

  /** What is listed may be gone by now. */
  async #ifThere<T>(ask: () => Promise<T>): Promise<T | undefined> {
    try {
      return await ask();
    } catch (error) {
      if (hasCriCode(error, "NOT_FOUND")) return undefined;
      throw error;
    }
  }
}

const present = <T>(all: readonly (T | undefined)[]): T[] => all.filter((each): each is T => each !== undefined);

const newestFirst = (
  a: { readonly createdAt: number; readonly attempt: number; readonly id: string },
  b: { readonly createdAt: number; readonly attempt: number; readonly id: string },
): number => b.createdAt - a.createdAt || b.attempt - a.attempt || (a.id < b.id ? -1 : 1);
