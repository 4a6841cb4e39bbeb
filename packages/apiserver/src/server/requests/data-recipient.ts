import { internalError } from "@coxswain/apimachinery/status";
import type { Soon } from "@coxswain/runtime/soon";
import type { Watcher } from "../../cache/watcher.js";
import { recordAnswer } from "../../endpoints/respond/record-answer.js";
import { type Answer, codeOf, statusAnswer, type WatchAnswer } from "../../request/answer.js";
import type { RequestContext } from "../../request/request-context.js";
import type { Recipient } from "./recipient.js";

/** An answer as data, for a caller in the same process. */
export interface AnsweredRequest {
  readonly answer: Answer;
  readonly code: number;
  /** The texts of its Warning headers. */
  readonly warnings: readonly string[];
}

/** Gives answers to a caller in this process: a watch when it may be opened, anything else when the request is over. */
export class DataRecipient implements Recipient {
  code = 0;
  readonly bytes = 0;
  readonly #give: (answered: AnsweredRequest) => void;
  #answered: AnsweredRequest | undefined;

  /** @param give called once */
  constructor(give: (answered: AnsweredRequest) => void) {
    this.#give = give;
  }

  take(answer: Answer, context: RequestContext): Soon<void> {
    this.code = codeOf(answer);
    this.#answered = { answer, code: this.code, warnings: context.warnings };
    if (context.audit) {
      recordAnswer(context.audit, answer, context);
      context.audit.begin(this.code);
    }
    return answer.as === "watch" ? this.#giveWatch(answer, context) : undefined;
  }

  fail(error: unknown, context: RequestContext): Soon<void> {
    const { status } = internalError(error instanceof Error ? error.message : String(error));
    return this.take(statusAnswer(status), context);
  }

  abort(): void {
    this.over();
  }

  over(): void {
    if (this.#answered) this.#give(this.#answered);
  }

  /** Resolves when the watch has ended, or its caller is gone before it was opened. */
  #giveWatch(answer: WatchAnswer, context: RequestContext): Promise<void> {
    // Its caller has the answer: priority and fairness and the limit of memory count it no longer.
    context.onAnswered?.();
    context.onAnswered = undefined;
    context.releaseMemory?.();
    context.releaseMemory = undefined;
    return new Promise((resolve) => {
      let watcher: Watcher | undefined;
      const stop = (): void => (watcher ? watcher.stop() : over());
      const over = (): void => {
        context.signal.removeEventListener("abort", stop);
        resolve();
      };
      context.signal.addEventListener("abort", stop, { once: true });
      const open: WatchAnswer["open"] = (sink) => {
        watcher = answer.open({
          deliver: (deliveries) => sink.deliver(deliveries),
          bookmark: (revision, initial) => sink.bookmark(revision, initial),
          end(reason) {
            over();
            sink.end(reason);
          },
        });
        if (context.signal.aborted) watcher.stop();
        return watcher;
      };
      this.#give({ answer: { ...answer, open }, code: this.code, warnings: context.warnings });
      this.#answered = undefined;
    });
  }
}
