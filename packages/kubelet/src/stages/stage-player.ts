import type { Runtime } from "@coxswain/runtime";
import { during } from "@coxswain/runtime/activity";
import type { Timer } from "@coxswain/runtime/clock";
import { Budget, type BudgetLimits, OverBudget } from "../languages/budget.js";
import type { ProcessorShare } from "../languages/processor-share.js";
import type { TemplateFunctions } from "../languages/template/render.js";
import { chooseStage, delayOf } from "./choose-stage.js";
import type { CompiledStage } from "./compile-stage.js";
import { planSteps, type StageAction } from "./plan-steps.js";
import { goJson, type SelectedObject } from "./selected-object.js";
import { StageBudgets } from "./stage-budgets.js";
import { StageError } from "./stage-object.js";

/** Plays Stages on the objects of one kind: chooses one for each state of an object, waits for its delay, and carries it out. */
export interface StagePlayer<T extends SelectedObject> {
  /**
   * The object as it is now. A Stage that waits for an older state is replaced by the one chosen for this state; where no
   * Stage selects this state it stays, as in KWOK.
   * @returns the Stage that will be played; undefined: none selects the object
   */
  offer(object: T): CompiledStage | undefined;
  /** The object is gone, or not ours any more. */
  drop(uid: string): void;
  /** Waits for what is being played. */
  stop(): Promise<void>;
}

export interface StagePlayerOptions<T extends SelectedObject> {
  readonly kind: "Pod" | "Node";
  stages(): readonly CompiledStage[];
  functionsFor(object: T): TemplateFunctions;
  /** Before the first action of a Stage; false: the object's node is cut off, and nothing is done. */
  begin(object: T, stage: CompiledStage): boolean;
  /** Carries out one action; a patch returns the object as it is then. */
  act(object: T, action: StageAction): Promise<T | undefined>;
  /** A Stage used more than it may, and is not offered again. */
  refuse(stage: CompiledStage, error: OverBudget): void;
  isRefused(stage: CompiledStage): boolean;
  readonly processor: ProcessorShare;
  readonly runtime: Runtime;
}

interface Job<T> {
  readonly object: T;
  readonly stage: CompiledStage;
  timer: Timer | undefined;
}

/** What all templates of a Stage may use for one object. Those of KWOK's own stages take some hundred steps and write some kilobytes. */
const templateLimits: BudgetLimits = { steps: 50_000, depth: 100, bytes: 256 * 1024 };

/** Steps of expressions and templates in the time of one step of a program. */
const stepsPerStep = 20;
const chargeSteps = (processor: ProcessorShare, steps: number): void => processor.charge(steps / stepsPerStep);

/** How many objects are written at once. */
const parallel = 64;

const uidOf = ({ metadata }: SelectedObject): string => metadata?.uid ?? "";
const versionOf = ({ metadata }: SelectedObject): string => metadata?.resourceVersion ?? "";

export function createStagePlayer<T extends SelectedObject>(options: StagePlayerOptions<T>): StagePlayer<T> {
  const { kind, processor } = options;
  const { clock, random, activity, log } = options.runtime;
  const waiting = new Map<string, Job<T>>();
  const due = new Set<Job<T>>();
  const playing = new Set<Promise<void>>();
  let isStopped = false;

  function offer(object: T): CompiledStage | undefined {
    const uid = uidOf(object);
    const known = waiting.get(uid);
    if (known && versionOf(known.object) === versionOf(object)) return known.stage;
    const stages = options.stages();
    if (stages.length === 0 || isStopped) return undefined;
    const now = clock.now();
    const data = goJson(kind, object) as SelectedObject;
    const budgets = new StageBudgets(options.refuse);
    const stage = chooseStage(stages, data, { now, random, budgets });
    chargeSteps(processor, budgets.steps);
    if (!stage) return undefined;
    drop(uid);
    const job: Job<T> = { object, stage, timer: undefined };
    waiting.set(uid, job);
    const delay = delayOf(stage, data, { now, random, budgets });
    if (delay > 0) job.timer = clock.setTimer(delay, () => makeDue(job));
    else makeDue(job);
    return stage;
  }

  function drop(uid: string): void {
    const job = waiting.get(uid);
    job?.timer?.cancel();
    if (job) due.delete(job);
    waiting.delete(uid);
  }

  function makeDue(job: Job<T>): void {
    due.add(job);
    pump();
  }

  function pump(): void {
    for (const job of due) {
      if (playing.size >= parallel || isStopped) return;
      due.delete(job);
      waiting.delete(uidOf(job.object));
      const play = during(activity, () => playOne(job)).finally(() => {
        playing.delete(play);
        pump();
      });
      playing.add(play);
    }
  }

  async function playOne({ object, stage }: Job<T>): Promise<void> {
    // The code that offers the object decides by the Stage that is returned, before the Stage acts.
    await Promise.resolve();
    await processor.turn();
    if (isStopped || options.isRefused(stage) || !options.begin(object, stage)) return;
    try {
      let latest: T | undefined;
      for (const action of planActions(object, stage, options)) latest = (await options.act(object, action)) ?? latest;
      if (stage.immediateNextStage && latest && versionOf(latest) !== versionOf(object)) offer(latest);
    } catch (error) {
      if (error instanceof StageError && error.cause instanceof OverBudget) options.refuse(stage, error.cause);
      if (!isStopped)
        log.warn("a Stage could not be played", { stage: stage.name, kind, name: object.metadata?.name, error });
    }
  }

  return {
    offer,
    drop,
    async stop() {
      isStopped = true;
      for (const job of waiting.values()) job.timer?.cancel();
      await Promise.all(playing);
    },
  };
}

/** @throws StageError */
function planActions<T extends SelectedObject>(
  object: T,
  stage: CompiledStage,
  { kind, functionsFor, processor }: StagePlayerOptions<T>,
): StageAction[] {
  const budget = new Budget(templateLimits);
  try {
    const data = goJson(kind, object) as SelectedObject;
    return planSteps(stage, { data, functions: functionsFor(object), budget });
  } finally {
    chargeSteps(processor, budget.steps);
  }
}
