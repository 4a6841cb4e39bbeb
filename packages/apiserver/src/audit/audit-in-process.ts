import type { RequestContext } from "../request/request-context.js";
import { recordAnswer } from "../endpoints/respond/record-answer.js";
import type { Answer } from "../request/answer.js";
import type { RequestAudit } from "../request/request-audit.js";

/** Records an answer that is handed over as a value: a watch ends with its watcher, anything else with the answer. */
export async function auditInProcess(
  record: RequestAudit,
  answer: Answer,
  code: number,
  context: RequestContext,
): Promise<Answer> {
  recordAnswer(record, answer, context);
  record.begin(code);
  if (answer.as !== "watch") {
    await record.end();
    return answer;
  }
  return {
    ...answer,
    open: (sink) =>
      answer.open({
        deliver: (deliveries) => sink.deliver(deliveries),
        bookmark: (revision, initial) => sink.bookmark(revision, initial),
        end(reason) {
          void record.end();
          sink.end(reason);
        },
      }),
  };
}
