import { setTimeout as sleep } from "node:timers/promises";
import { type Contestant, createContestant } from "../contestant.js";
import { startOurs } from "../servers/ours.js";
import { configMapsPath, targetName } from "../workload.js";
import { type HistoryFigure, middle } from "./figure.js";

/** What a server did in one round. */
interface Round {
  readonly creates: number;
  readonly createCpu: number;
  readonly gets: number;
  readonly getCpu: number;
}

const inFlight = 128;
const creates = 12_000;
const gets = 30_000;

const openServer = (history: boolean, signal: AbortSignal, probed = false): Contestant =>
  createContestant("ours", () => startOurs({ probed, flags: [`--history=${history}`] }), signal);

/**
 * Creates and GETs, by turns with and without history: the median of the ratios of the rounds. Processor time stands next to it: it is
 * the same on a machine on which others work.
 */
export async function measureLoad(rounds: number, signal: AbortSignal): Promise<HistoryFigure[]> {
  const [on, off]: [Round[], Round[]] = [[], []];
  for (let round = 0; round < rounds; round++)
    for (const history of round % 2 === 0 ? [true, false] : [false, true]) {
      process.stderr.write(`load: round ${round + 1} of ${rounds}, history ${history}\n`);
      const measured = await measureRound(openServer(history, signal));
      process.stderr.write(`${JSON.stringify(measured)}\n`);
      (history ? on : off).push(measured);
    }
  const ratio = (of: (round: Round) => number): number => middle(on.map((each, at) => of(each) / of(off[at]!))) * 100;
  const figure = (what: string, of: keyof Round, cpu: keyof Round, budget: number): HistoryFigure => ({
    what,
    budget: `≥ ${budget} %`,
    measured: `${ratio((each) => each[of]).toFixed(1)} % (${middle(on.map((each) => each[of])).toFixed(0)} and ${middle(off.map((each) => each[of])).toFixed(0)} per s); processor time ${ratio((each) => each[cpu]).toFixed(1)} % (${middle(on.map((each) => each[cpu])).toFixed(0)} and ${middle(off.map((each) => each[cpu])).toFixed(0)} µs each)`,
    isMet: ratio((each) => each[of]) >= budget,
  });
  return [
    figure(`creates of 1.5 KB, ${inFlight} in flight, with history`, "creates", "createCpu", 95),
    figure("GETs of 1.5 KB, 64 in flight, with history", "gets", "getCpu", 99),
  ];
}

async function measureRound(contestant: Contestant): Promise<Round> {
  try {
    const server = await contestant.server();
    const timed = async (count: number, run: () => Promise<{ readonly seconds: number }>) => {
      const before = server.cpuSeconds!();
      const { seconds } = await run();
      return { perSecond: count / seconds, cpu: ((server.cpuSeconds!() - before) / count) * 1e6 };
    };
    const shape = { connections: 16, inFlightEach: 8 };
    await contestant.createConfigMaps({ ...shape, count: 3_000 }); // warms up
    const created = await timed(creates, () => contestant.createConfigMaps({ ...shape, count: creates }));
    const request = { method: "GET", path: `${configMapsPath}/${targetName}`, headers: { accept: "application/json" } };
    const read = { connections: 4, inFlightEach: 16 };
    await contestant.requests(request, { ...read, count: 3_000 });
    await sleep(2_000); // what was created is in the chronicle's files
    const got = await timed(gets, () => contestant.requests(request, { ...read, count: gets }));
    return { creates: created.perSecond, createCpu: created.cpu, gets: got.perSecond, getCpu: got.cpu };
  } finally {
    await contestant.stop();
  }
}

/** Memory with 33,000 objects: resident, and alive after a collection. */
export async function measureMemory(rounds: number, signal: AbortSignal): Promise<HistoryFigure[]> {
  const values = { on: [] as number[], off: [] as number[], aliveOn: [] as number[], aliveOff: [] as number[] };
  for (let round = 0; round < rounds; round++)
    for (const history of [true, false]) {
      process.stderr.write(`memory: round ${round + 1} of ${rounds}, history ${history}\n`);
      const contestant = openServer(history, signal, true);
      try {
        await contestant.fillConfigMaps();
        if (!(await contestant.fillPods())) throw new Error("there are no pods");
        await sleep(5_000);
        const server = await contestant.server();
        values[history ? "on" : "off"].push((await server.residentBytes()) / 1e6);
        values[history ? "aliveOn" : "aliveOff"].push((await server.probe!()).liveBytes / 1e6);
      } finally {
        await contestant.stop();
      }
    }
  const more = middle(values.on) - middle(values.off);
  const alive = middle(values.aliveOn) - middle(values.aliveOff);
  return [
    {
      what: "memory with 33,000 objects, more with history",
      budget: "≤ 20 MB",
      measured: `${more.toFixed(0)} MB resident (${values.on.map((each) => each.toFixed(0)).join(", ")} and ${values.off.map((each) => each.toFixed(0)).join(", ")}); ${alive.toFixed(1)} MB alive after a collection`,
      isMet: more <= 20,
    },
  ];
}
