import { useEffect, useState } from "preact/hooks";
import type { Calls, Problem } from "../contract/messages.js";
import { app } from "./app-state.js";
import { problemIn } from "./worker-client.js";

export interface Answer<T> {
  readonly value: T | undefined;
  readonly problem: Problem | undefined;
  readonly isLoading: boolean;
}

/** Asks once for each `key`. */
export function useCall<Name extends keyof Calls>(
  name: Name,
  params: Calls[Name]["params"],
  key: string,
): Answer<Calls[Name]["result"]> {
  const [answer, setAnswer] = useState<Answer<Calls[Name]["result"]>>(loading);
  useEffect(() => {
    let isWanted = true;
    app()
      .worker.call(name, params)
      .then(
        (value) => isWanted && setAnswer({ value, problem: undefined, isLoading: false }),
        (error) => isWanted && setAnswer({ value: undefined, problem: problemIn(error), isLoading: false }),
      );
    return () => {
      isWanted = false;
    };
  }, [name, key]);
  return answer;
}

const loading = { value: undefined, problem: undefined, isLoading: true } as const;
