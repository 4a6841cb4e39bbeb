import { stringifyJson } from "@coxswain/apimachinery/json";
import { findOutput } from "@coxswain/apimachinery/negotiation";
import type { Answer } from "../../request/answer.js";
import type { RequestAudit } from "../../request/request-audit.js";
import type { RequestContext } from "../../request/request-context.js";
import { wholeList } from "./whole-form.js";

const decoder = new TextDecoder();

/** Records the answer for the audit log: always in JSON, but as the table or the metadata that the client asked for. Throws what the client's form refuses. */
export function recordAnswer(record: RequestAudit, answer: Answer, { form, request }: RequestContext): void {
  const plain = form.plain ?? form;
  switch (answer.as) {
    case "status":
      // Upstream writes those past its codecs, where nothing is recorded.
      if (!findOutput({ accept: request.header("accept") })) return;
      record.status(answer.status);
      if (record.recordsResponses) record.response(stringifyJson(answer.status));
      return;
    case "object":
      if (record.recordsResponses) record.response(textOf(plain.object(answer.kind, answer.object.bytes)));
      return;
    case "list":
      if (record.recordsResponses) record.response(textOf(wholeList(plain, answer)));
      return;
    case "document":
      if (record.recordsResponses && answer.json) record.response(answer.json());
      return;
    case "watch":
    case "stream":
    case "upgraded":
  }
}

const textOf = (bytes: Uint8Array): string => decoder.decode(bytes).trimEnd();
