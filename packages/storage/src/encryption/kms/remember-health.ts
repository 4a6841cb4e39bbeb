import type { Clock } from "@coxswain/runtime/clock";

/** How long kube-apiserver caches the health of a plugin that was healthy, and of one that was not. */
const wellMs = 20_000;
const unwellMs = 3_000;

/**
 * What is wrong with a plugin, or nothing. Health is asked for more often than plugins like to answer: an answer is kept for
 * a while, and those who ask at once share one.
 */
export function rememberHealth(
  check: () => Promise<void>,
  clock: Pick<Clock, "monotonic">,
): () => Promise<string | undefined> {
  let last: { readonly problem: string | undefined; readonly until: number } | undefined;
  let asking: Promise<string | undefined> | undefined;
  const ask = async (): Promise<string | undefined> => {
    const problem = await check().then(
      () => undefined,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
    last = { problem, until: clock.monotonic() + (problem === undefined ? wellMs : unwellMs) };
    asking = undefined;
    return problem;
  };
  return async () => (last && clock.monotonic() < last.until ? last.problem : (asking ??= ask()));
}
