import { useSignal } from "@preact/signals";
import type { Problem } from "../contract/messages.js";
import { problemIn } from "./worker-client.js";

/** What a person starts with a button: whether it is under way, and what went wrong. */
export function useAttempt() {
  const isBusy = useSignal(false);
  const problem = useSignal<Problem | undefined>(undefined);
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    isBusy.value = true;
    problem.value = undefined;
    try {
      await work();
    } catch (error) {
      problem.value = problemIn(error);
    }
    isBusy.value = false;
  };
  return { isBusy, problem, attempt };
}
