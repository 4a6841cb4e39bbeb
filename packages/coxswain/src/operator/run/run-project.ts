import { join } from "node:path";
import { isStatusError } from "@coxswain/apimachinery/status";
import { type Client, isTransportError } from "@coxswain/client";
import { type Clock, systemClock } from "@coxswain/runtime/clock";
import type { ProjectPlace } from "../../project/subcommand.js";
import { applyDefinitions } from "../apply/apply-object.js";
import { ManifestError } from "../apply/read-manifests.js";
import { checkTypes } from "../check-types.js";
import { BundleError } from "../esbuild.js";
import { createChangeQueue } from "./change-queue.js";
import type { LocalWebhooks } from "./local-webhooks.js";
import { type OperatorProcess, startOperatorProcess } from "./operator-process.js";
import { isSameRun, type PreparedRun, prepareRun, programFile } from "./prepare-run.js";
import { createRegisteredWebhooks } from "./registered-webhooks.js";
import { watchSources } from "./watch-sources.js";

export interface RunProjectOptions {
  readonly client: Client;
  /** Flags of the operator's program. */
  readonly args: readonly string[];
  /** Undefined: the API server cannot call them. */
  readonly webhooks: LocalWebhooks | undefined;
  /** Whether it is started again when sources change. */
  readonly watch: boolean;
  /** Whether types are checked beside it. */
  readonly types: boolean;
  /** Ends it. */
  readonly signal: AbortSignal;
  readonly clock?: Clock;
}

type Event = { at: "stopped" } | { at: "changed"; paths: readonly string[] } | { at: "ended"; code: number };

/** The operator as it runs now, and with what it is started again. */
interface ProjectRun extends RunProjectOptions {
  readonly place: ProjectPlace;
  readonly clock: Clock;
  readonly registered: ReturnType<typeof createRegisteredWebhooks>;
  running:
    | { readonly prepared: PreparedRun; readonly process: OperatorProcess; readonly served: Promise<void> }
    | undefined;
  /** Ends the check of types that is under way. */
  checking: AbortController;
}

/** Runs the operator until the signal aborts, anew with each change of its sources. The number is the exit code. */
export async function runProject(place: ProjectPlace, options: RunProjectOptions): Promise<number> {
  const { directory, print, printError } = place;
  const { client, signal, clock = systemClock } = options;
  const changes = createChangeQueue();
  const watching = options.watch ? watchSources(directory, changes.add, clock) : undefined;
  const registered = createRegisteredWebhooks(client);
  const run: ProjectRun = { ...options, place, clock, registered, running: undefined, checking: new AbortController() };
  const stopped = new Promise<Event>((resolve) => {
    const stop = (): void => resolve({ at: "stopped" });
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
  try {
    if (!(await tryUpdate(run)) && !options.watch) return 1;
    for (;;) {
      check(run);
      const current = run.running?.process;
      const ended = current?.ended.then(({ code }): Event => ({ at: "ended", code: code ?? 1 }));
      const changed = changes.next().then((paths): Event => ({ at: "changed", paths }));
      const event = await Promise.race([stopped, changed, ...(ended ? [ended] : [])]);
      if (event.at === "stopped") return 0;
      if (event.at === "ended") {
        run.running = undefined;
        if (!options.watch) return event.code;
        printError(`the operator ended with code ${event.code}: it is started again when a source changes`);
        const next = await Promise.race([stopped, changed]);
        if (next.at !== "changed") return 0;
        print(`${next.paths.join(", ")} changed`);
      } else if (event.at === "changed") print(`${event.paths.join(", ")} changed`);
      await tryUpdate(run);
    }
  } finally {
    run.checking.abort();
    watching?.stop();
    await run.running?.process.stop();
    await run.running?.served;
    await registered.remove().catch((error: unknown) => printError(textOf(error)));
    print("✓ stopped");
  }
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** What a user can act upon; anything else is a mistake of ours. */
function textOf(error: unknown): string {
  const isExpected =
    isStatusError(error) || isTransportError(error) || error instanceof BundleError || error instanceof ManifestError;
  if (!isExpected) throw error;
  return (error as Error).message;
}

function reportUnchanged(print: ProjectPlace["print"], took: string): true {
  print(`✓ nothing to start again ${took}`);
  return true;
}

async function update(run: ProjectRun): Promise<boolean> {
  const { place, client, clock, signal, webhooks, registered } = run;
  const { directory, print, printError } = place;
  const began = clock.monotonic();
  const took = (): string => `(${Math.round(clock.monotonic() - began)} ms)`;
  const prepared = await prepareRun(place, webhooks);
  if (!prepared) return false;
  if (isSameRun(run.running?.prepared, prepared)) return reportUnchanged(print, took());
  await run.running?.process.stop();
  for (const definition of prepared.delivered) await registered.remember(definition);
  await applyDefinitions(client, prepared.definitions, { signal });
  print(`✓ ${counted(prepared.definitions.length, "CustomResourceDefinition")} applied ${took()}`);
  if (signal.aborted) return true;
  const program = join(directory, programFile);
  const process = startOperatorProcess({
    directory,
    program,
    args: run.args,
    print: printError,
  });
  run.running = { prepared, process, served: whenStarted(run, process, prepared, took) };
  return true;
}

async function whenStarted(
  { registered, webhooks, place: { print, printError } }: ProjectRun,
  process: OperatorProcess,
  prepared: PreparedRun,
  took: () => string,
): Promise<void> {
  if ((await process.started) === "ended") return;
  try {
    await registered.register(prepared.configurations);
    if (prepared.configurations.length > 0) print(`✓ webhooks are called at ${webhooks?.address}`);
    print(`✓ the operator runs ${took()}`);
  } catch (error) {
    printError(textOf(error));
  }
}

function check(run: ProjectRun): void {
  run.checking.abort();
  run.checking = new AbortController();
  if (!run.types) return;
  const { signal: ending } = run.checking;
  const { directory, printError } = run.place;
  // Beside the operator: a project that runs is not held back by a type.
  void (run.running?.served ?? Promise.resolve())
    .then(() => (ending.aborted ? undefined : checkTypes(directory, ending)))
    .then((errors) => errors !== undefined && printError(errors));
}

async function tryUpdate(run: ProjectRun): Promise<boolean> {
  try {
    return await update(run);
  } catch (error) {
    run.place.printError(textOf(error));
    return false;
  }
}
