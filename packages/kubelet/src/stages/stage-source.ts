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

export function createStageSource(options: StageSourceOptions): StageSource {
  const { client, given, fromCluster, onChange, runtime } = options;
  const { log } = runtime;
  const fixed = given.flatMap((object) => compileStage(object) ?? []);
  const fromApi = new Map<string, CompiledStage>();
  const onError = (error: unknown): void => log.debug("a cache lost its server and recovers", { error });
  let stages: SharedIndexInformer<StageObject> | undefined;
  const refused = new WeakSet<CompiledStage>();
  let byKind: ReadonlyMap<string, readonly CompiledStage[]> = new Map();

  function refresh(): void {
    byKind = stagesByKind(fixed, fromApi, refused);
  }
  refresh();

  function take(object: StageObject | undefined, name: string): void {
    fromApi.delete(name);
    try {
      const stage = object && compileStage(object);
      if (stage) fromApi.set(name, stage);
    } catch (error) {
      log.warn("a Stage is not played", { stage: name, error });
    }
    refresh();
    onChange();
  }

  const definitions = createSharedInformer<CustomResourceDefinition>({
    listerWatcher: filterListerWatcher(client.apiextensions.v1.customresourcedefinitions(), {
      fieldSelector: `metadata.name=${definitionName}`,
    }),
    runtime,
    onError,
  });

  function open(): SharedIndexInformer<StageObject> {
    if (stages) return stages;
    stages = createSharedInformer<StageObject>({
      listerWatcher: client.dynamic<StageObject>(resource),
      runtime,
      onError,
    });
    stages.addHandler({
      onAdd: (object) => take(object, nameOf(object)),
      onUpdate: (_, object) => take(object, nameOf(object)),
      onDelete: (object) => take(undefined, nameOf(object)),
    });
    stages.start();
    return stages;
  }

  function close(): void {
    const closed = stages;
    stages = undefined;
    void closed?.stop();
    fromApi.clear();
    refresh();
    onChange();
  }

  definitions.addHandler({
    onAdd: (definition) => void (isServed(definition) && open()),
    onUpdate: (_, definition) => void (isServed(definition) && open()),
    onDelete: close,
  });

  return {
    ofKind: (kind) => byKind.get(kind) ?? [],
    isRefused: (stage) => refused.has(stage),
    refuse(stage, error) {
      if (refused.has(stage)) return;
      refused.add(stage);
      log.warn("a Stage is not played", { stage: stage.name, error });
      refresh();
      // It was refused in the middle of being offered an object.
      void Promise.resolve().then(onChange);
    },
    async start(signal) {
      if (!fromCluster) return;
      definitions.start();
      await definitions.whenSynced(signal);
      if (definitions.indexer.list().some(isServed)) await open().whenSynced(signal);
    },
    async stop() {
      if (fromCluster) await definitions.stop();
      await stages?.stop();
    },
  };
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
