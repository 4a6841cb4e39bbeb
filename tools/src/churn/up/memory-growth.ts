/**
 * Whether what a cluster holds in memory grows with what was there once. Each round makes and deletes the same kinds of objects, so
 * afterwards only caches may hold anything of it. They are bounded by time or by number, and both are taken out of the comparison:
 *
 * - Watch caches keep events for 75 seconds and drop older ones once a minute: every measurement comes later than that.
 * - Recorders keep messages for ten minutes and series for twelve, to combine equal events: the last measurement comes after a rest
 *   that is longer, and after one more round, since some caches drop what is old when something new comes.
 * - Recorders also keep up to 4,096 keys each, as upstream's do, and the server the paths of 1,024 requests per method. These fill
 *   up slowly: `allowedGrowth` is for them, and for code that V8 compiles late.
 */
export interface MemoryRounds {
  /** Between the two measurements. */
  readonly rounds: number;
  /** Makes objects, waits until they are at rest, deletes them and waits until they are gone. */
  round(number: number): Promise<void>;
  /** After a garbage collection. */
  liveBytes(): Promise<number>;
  sleep(ms: number): Promise<void>;
  readonly print: (line: string) => void;
}

/** The first rounds fill caches and let code be compiled. */
const warmingRounds = 5;
const windowGoneMs = 140_000;
const recordsGoneMs = 750_000;
/** Of so many, some seconds apart, the smallest counts: a request under way is no growth. */
const samples = 3;
const betweenSamplesMs = 5_000;
/** By what was alive before: of some 90 MB and twenty rounds, 450 kB of each. A round's pods as parsed objects take more. */
const allowedGrowth = 1.1;

/** Returns what is wrong; undefined: nothing. */
export async function measureGrowth(memory: MemoryRounds): Promise<string | undefined> {
  const { rounds, round, liveBytes, sleep, print } = memory;
  const smallest = async (): Promise<number> => {
    await sleep(windowGoneMs);
    const found: number[] = [];
    for (let sample = 0; sample < samples; sample++) {
      await sleep(betweenSamplesMs);
      found.push(await liveBytes());
    }
    print(`at rest: ${found.map(megabytes).join(", ")} MB alive`);
    return Math.min(...found);
  };
  const run = async (number: number): Promise<void> => {
    await round(number);
    print(`round ${number}: ${megabytes(await liveBytes())} MB alive, events of the last 75 seconds included`);
  };
  for (let number = 1; number <= warmingRounds; number++) await run(number);
  const before = await smallest();
  for (let number = 1; number <= rounds; number++) await run(warmingRounds + number);
  await sleep(recordsGoneMs);
  await run(warmingRounds + rounds + 1);
  return excess({ before, after: await smallest(), rounds });
}

/** Pure: whether this is more than what bounded caches may take. */
function excess(found: { before: number; after: number; rounds: number }): string | undefined {
  const { before, after, rounds } = found;
  if (after <= before * allowedGrowth) return undefined;
  const perRound = ((after - before) / rounds / 1000).toFixed(0);
  return `memory grew from ${megabytes(before)} to ${megabytes(after)} MB in ${rounds} rounds, ${perRound} kB in each`;
}

const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1);
