import { askAll, type Question } from "./ask.js";
import { flushAffinity } from "./flush-affinity.js";
import type { GeneratedService } from "./generate-service.js";
import type { TestNetwork } from "./test-network.js";

/** Where connections are tried from. */
export const origins = ["a", "b", "node", "client"] as const;

/** One connection to try. */
export interface Asked {
  readonly origin: (typeof origins)[number];
  readonly service: GeneratedService;
  readonly target: GeneratedService["targets"][number];
}

interface Numbered {
  readonly one: Asked;
  readonly at: number;
}

/** The different answers to each, in their order. */
export async function answersOf(network: TestNetwork, asked: readonly Asked[]): Promise<(readonly string[])[]> {
  const numbered = asked.map((one, at): Numbered => ({ one, at }));
  const found: (readonly string[])[] = [];
  for (const origin of origins) {
    const own = numbered.filter(({ one }) => one.origin === origin && !one.service.isAffine);
    await askEach(network, own, (at, answers) => (found[at] = answers));
  }
  const affine = await askAffine(
    network,
    numbered.filter(({ one }) => one.service.isAffine),
  );
  for (const [at, answers] of affine) found[at] = [...answers].sort();
  return found;
}

/** How often an affine service may choose anew. That one of two backends is never chosen happens once in 2,000 times. */
const choices = 12;

/**
 * With affinity a client has one backend, whichever: so it is asked who that is, and asked again when the proxy has forgotten. A
 * client of several addresses of one service may have a backend for each; they are asked one after another, with nothing remembered.
 */
async function askAffine(network: TestNetwork, asked: readonly Numbered[]): Promise<Map<number, Set<string>>> {
  const found = new Map(asked.map(({ at }) => [at, new Set<string>()]));
  if (asked.length === 0) return found;
  const targets = Math.max(...asked.map(({ one: { service } }) => service.targets.length));
  for (let choice = 0; choice < choices; choice++)
    for (let target = 0; target < targets; target++) {
      const now = asked.filter(({ one }) => one.service.targets.indexOf(one.target) === target);
      if (now.length === 0) continue;
      await flushAffinity(network.node);
      await Promise.all(
        origins.map((origin) =>
          askEach(
            network,
            now.filter(({ one }) => one.origin === origin),
            (at, answers) => found.get(at)?.add(answers.join(" and ")),
            { tries: 3, waitMs: 800 },
          ),
        ),
      );
    }
  return found;
}

/** Asks questions that have one origin. */
async function askEach(
  network: TestNetwork,
  asked: readonly Numbered[],
  onAnswers: (at: number, answers: readonly string[]) => void,
  limits?: { readonly tries: number; readonly waitMs: number },
): Promise<void> {
  const [first] = asked;
  if (first === undefined) return;
  const questions = asked.map(({ one }): Question => ({ ...one.target, protocol: one.service.protocol }));
  const answers = await askAll(network[first.one.origin], questions, limits);
  for (const [next, { at }] of asked.entries()) onAnswers(at, answers[next] ?? []);
}
