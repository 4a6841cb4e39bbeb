import type { CustomResourceDefinition } from "@coxswain/api/apiextensions/v1";
import type { DeepReadonly } from "@coxswain/api/types";
import type { Client } from "@coxswain/client";
import { createSharedInformer, filterListerWatcher, type SharedIndexInformer } from "@coxswain/client/informers";
import type { Runtime } from "@coxswain/runtime";
import type { OverBudget } from "../languages/budget.js";
import { type CompiledStage, compileStage } from "./compile-stage.js";
import type { StageObject } from "./stage-object.js";

/** The Stages that are played: those that the process was given, and those that the cluster has while their definition is there. */
export interface StageSource {
  ofKind(kind: "Pod" | "Node"): readonly CompiledStage[];
  /** A Stage that uses more than it may is not played until it is changed; the others are. */
  refuse(stage: CompiledStage, error: OverBudget): void;
  isRefused(stage: CompiledStage): boolean;
  /** Resolves when the cluster's Stages are known. */
  start(signal: AbortSignal): Promise<void>;
  stop(): Promise<void>;
}

export interface StageSourceOptions {
  readonly client: Client;
  /** @throws StageError where one of them cannot be played */
  readonly given: readonly StageObject[];
  /** Whether Stages of the cluster count. */
  readonly fromCluster: boolean;
  onChange(): void;
  readonly runtime: Runtime;
}

const definitionName = "stages.kwok.x-k8s.io";
const resource = { group: "kwok.x-k8s.io", version: "v1alpha1", resource: "stages", kind: "Stage" };

export const createStageSource = (options: StageSourceOptions): StageSource => new CompiledStages(options);

class CompiledStages implements StageSource {
  readonly #options: StageSourceOptions;
  readonly #fixed: readonly CompiledStage[];
  readonly #fromApi = new Map<string, CompiledStage>();
  #stages: SharedIndexInformer<StageObject> | undefined;
  readonly #refused = new WeakSet<CompiledStage>();
  #byKind: ReadonlyMap<string, readonly CompiledStage[]> = new Map();
  readonly #definitions: SharedIndexInformer<DeepReadonly<CustomResourceDefinition>>;

  constructor(options: StageSourceOptions) {
    const { client, given, runtime } = options;
    this.#options = options;
    this.#fixed = given.flatMap((object) => compileStage(object) ?? []);
    this.#refresh();
    this.#definitions = createSharedInformer<CustomResourceDefinition>({
      listerWatcher: filterListerWatcher(client.apiextensions.v1.customresourcedefinitions(), {
        fieldSelector: `metadata.name=${definitionName}`,
      }),
      runtime,
      onError: (error) => this.#onError(error),
    });
    this.#definitions.addHandler({
      onAdd: (definition) => void (isServed(definition) && this.#open()),
      onUpdate: (_, definition) => void (isServed(definition) && this.#open()),
      onDelete: () => this.#close(),
    });
  }

  ofKind(kind: "Pod" | "Node"): readonly CompiledStage[] {
    return this.#byKind.get(kind) ?? [];
  }

  isRefused(stage: CompiledStage): boolean {
    return this.#refused.has(stage);
  }

  refuse(stage: CompiledStage, error: OverBudget): void {
    if (this.#refused.has(stage)) return;
    this.#refused.add(stage);
    this.#options.runtime.log.warn("a Stage is not played", { stage: stage.name, error });
    this.#refresh();
    // It was refused in the middle of being offered an object.
    void Promise.resolve().then(() => this.#options.onChange());
  }

  async start(signal: AbortSignal): Promise<void> {
    if (!this.#options.fromCluster) return;
    this.#definitions.start();
    await this.#definitions.whenSynced(signal);
    if (this.#definitions.indexer.list().some(isServed)) await this.#open().whenSynced(signal);
  }

  async stop(): Promise<void> {
    if (this.#options.fromCluster) await this.#definitions.stop();
    await this.#stages?.stop();
  }

  #onError(error: unknown): void {
    this.#options.runtime.log.debug("a cache lost its server and recovers", { error });
  }

  #refresh(): void {
    this.#byKind = stagesByKind(this.#fixed, this.#fromApi, this.#refused);
  }

  #take(object: StageObject | undefined, name: string): void {
    this.#fromApi.delete(name);
    try {
      const stage = object && compileStage(object);
      if (stage) this.#fromApi.set(name, stage);
    } catch (error) {
      this.#options.runtime.log.warn("a Stage is not played", { stage: name, error });
    }
    this.#refresh();
    this.#options.onChange();
  }

  #open(): SharedIndexInformer<StageObject> {
    if (this.#stages) return this.#stages;
    this.#stages = createSharedInformer<StageObject>({
      listerWatcher: this.#options.client.dynamic<StageObject>(resource),
      runtime: this.#options.runtime,
      onError: (error) => this.#onError(error),
    });
    this.#stages.addHandler({
      onAdd: (object) => this.#take(object, nameOf(object)),
      onUpdate: (_, object) => this.#take(object, nameOf(object)),
      onDelete: (object) => this.#take(undefined, nameOf(object)),
    });
    this.#stages.start();
    return this.#stages;
  }

  #close(): void {
    const closed = this.#stages;
    this.#stages = undefined;
    void closed?.stop();
    this.#fromApi.clear();
    this.#refresh();
    this.#options.onChange();
  }
}

const nameOf = ({ metadata }: StageObject): string => metadata?.name ?? "";

const isServed = ({ status: served }: DeepReadonly<CustomResourceDefinition>): boolean =>
  (served?.conditions ?? []).some(({ type, status }) => type === "Established" && status === "True");

/** By name. A Stage of the cluster takes the place of a given one of its name. */
function stagesByKind(
  fixed: readonly CompiledStage[],
  fromApi: ReadonlyMap<string, CompiledStage>,
  refused: WeakSet<CompiledStage>,
): Map<string, readonly CompiledStage[]> {
  const all = new Map([...fixed.map((stage) => [stage.name, stage] as const), ...fromApi]);
  const byKind = new Map<string, readonly CompiledStage[]>();
  for (const kind of ["Pod", "Node"] as const)
    byKind.set(
      kind,
      [...all.values()]
        .filter((stage) => stage.kind === kind && !refused.has(stage))
        .sort((a, b) => (a.name < b.name ? -1 : 1)),
    );
  return byKind;
}
