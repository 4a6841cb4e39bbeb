import type { UserInfo } from "@coxswain/apiserver";
import type { Client } from "@coxswain/client";
import type { Interceptor } from "@coxswain/client/transport";
import type { Runtime } from "@coxswain/runtime";
import { type Activity, during } from "@coxswain/runtime/activity";
import type { Clock } from "@coxswain/runtime/clock";
import type { RandomSource } from "@coxswain/runtime/random";
import { estimatedTime, TaskScheduler } from "@coxswain/runtime/scheduler";
import { PausedProcess } from "./paused-process.js";

/** Starts a program; what it answers stops it. Called again after each crash, with a new client. */
export type StartProgram = (client: Client, world: ProgramWorld) => RunningProgram | Promise<RunningProgram>;

/** What a program takes from its surroundings, so that it runs on the cluster's time and repeats with its seed. */
export interface ProgramWorld {
  readonly clock: Clock;
  readonly random: RandomSource;
  /** Counts the program's own work: `settle` and `advance` wait for it. */
  readonly activity: Activity;
  /** All of it, for `createManager({ client, ...world })`. */
  readonly runtime: Runtime;
}

export interface RunningProgram {
  stop(): void | Promise<void>;
}

export interface Program {
  /** How often it was started. */
  readonly starts: number;
  /** Kills it, as a process that disappears: what it had under way gets no answer. Starts it again. */
  crash(): Promise<void>;
  /** Stops it as SIGSTOP does: no timer fires, no answer and no event arrives, while the cluster and its clock go on. */
  pause(): void;
  readonly isPaused: boolean;
  /** Continues it, with all that became due and arrived meanwhile. */
  resume(): void;
  stop(): Promise<void>;
}

export interface RunOptions {
  /** Who it is for authorization. @default an administrator of the program's name */
  readonly user?: UserInfo;
  /** Between the program and the server, such as a storm's. @default nothing */
  readonly through?: Interceptor;
}

/** One life of a program, as its transport sees it. */
export interface Life {
  isAlive(): boolean;
  readonly process: PausedProcess;
  readonly through: Interceptor | undefined;
}

export interface ProgramsOptions {
  /** The cluster's. */
  readonly runtime: Runtime;
  clientFor(user: UserInfo, life: Life): Client;
  /** A life of a program comes to its end, or begins. @default nobody needs to know */
  readonly onLife?: (user: UserInfo, is: "ending" | "beginning") => void;
}

export interface Programs {
  run(user: UserInfo, start: StartProgram, through?: Interceptor): Promise<Program>;
  /** Kills the programs of a user and starts them again. */
  crash(user: string): void;
  restartAll(): Promise<void>;
  stop(): Promise<void>;
}

/** Programs under test. */
export function createPrograms(options: ProgramsOptions): Programs {
  const all = new Set<OwnProgram>();
  return {
    async run(user, start, through) {
      const program = new OwnProgram(options, all, { user, start, through });
      all.add(program);
      await program.begin();
      return program;
    },
    crash(user) {
      for (const program of all) if (program.user.name === user) void program.crash();
    },
    async restartAll() {
      await Promise.all([...all].map((program) => program.crash()));
    },
    async stop() {
      await Promise.all([...all].map((program) => program.stop()));
    },
  };
}

interface ProgramFacts {
  readonly user: UserInfo;
  readonly start: StartProgram;
  readonly through: Interceptor | undefined;
}

class OwnProgram implements Program {
  readonly #options: ProgramsOptions;
  /** Those that run; this one is no longer among them once it is stopped. */
  readonly #all: Set<OwnProgram>;
  readonly #facts: ProgramFacts;
  starts = 0;
  #life: { alive: boolean; readonly process: PausedProcess; readonly running: Promise<RunningProgram> } | undefined;
  /** Crashes and stops happen one after the other. */
  #last: Promise<void> = Promise.resolve();

  constructor(options: ProgramsOptions, all: Set<OwnProgram>, facts: ProgramFacts) {
    this.#options = options;
    this.#all = all;
    this.#facts = facts;
  }

  get user(): UserInfo {
    return this.#facts.user;
  }

  async begin(): Promise<void> {
    const { clientFor, onLife, runtime } = this.#options;
    const { user, start, through } = this.#facts;
    this.starts += 1;
    onLife?.(user, "beginning");
    const process = new PausedProcess();
    const life = { alive: true, process };
    const client = clientFor(user, { isAlive: () => life.alive, process, through });
    const running = Promise.resolve(start(client, worldOf(process, runtime)));
    this.#life = Object.assign(life, { running });
    await running;
  }

  async end(): Promise<void> {
    const life = this.#life;
    this.#life = undefined;
    if (!life) return;
    life.alive = false;
    this.#options.onLife?.(this.user, "ending");
    life.process.kill();
    const running = await life.running.catch(() => undefined); // a program that could not start has nothing to stop
    await running?.stop();
    life.process.end();
  }

  crash(): Promise<void> {
    const { activity } = this.#options.runtime;
    // At once: what it sends from now on never arrives.
    if (this.#life) this.#life.alive = false;
    this.#last = this.#last.then(() =>
      during(activity, async () => {
        if (!this.#all.has(this)) return;
        await this.end();
        activity.pause(); // it may wait for time before it is started, as for a watch that is held
        await this.begin().finally(() => activity.resume());
      }),
    );
    return this.#last;
  }

  get isPaused(): boolean {
    return this.#life?.process.isPaused ?? false;
  }

  pause(): void {
    this.#life?.process.pause();
  }

  resume(): void {
    this.#life?.process.resume();
  }

  async stop(): Promise<void> {
    this.#all.delete(this);
    await this.#last.catch(() => {});
    await this.end();
  }
}

/** A process of its own has an event loop of its own. */
function worldOf(process: PausedProcess, cluster: Runtime): ProgramWorld {
  const [clock, activity] = [process.clock(cluster.clock), process.activity(cluster.activity)];
  const scheduler = new TaskScheduler({ time: estimatedTime(), activity });
  const { random } = cluster;
  return { clock, random, activity, runtime: { ...cluster, clock, activity, scheduler } };
}
