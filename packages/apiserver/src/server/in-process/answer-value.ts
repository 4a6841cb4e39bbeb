import { buffer } from "node:stream/consumers";
import { type Status, StatusError } from "@coxswain/apimachinery/status";
import { parseJsonBody } from "@coxswain/client/transport";
import { bytesOf } from "../../cache/cache-entry.js";
import { encodedObject } from "../../cache/encoded-object.js";
import type { Answer, DocumentAnswer, ListAnswer } from "../../request/answer.js";

/** The body of an answer as a value of the caller's own; a failure's is its Status. Throws where there is none in JSON. */
export function bodyValue(answer: Answer): unknown {
  switch (answer.as) {
    case "object":
      return answer.object.parse();
    case "list":
      return listValue(answer);
    case "status":
      return answer.status;
    case "document":
      return JSON.parse(new TextDecoder().decode(answer.bytes));
    case "watch":
      throw new Error("a watch is asked for with watch()");
    case "stream":
      answer.body?.destroy();
      throw new Error("an answer that is handed on as it comes needs a connection");
    case "upgraded":
      throw new Error("another protocol needs a connection");
  }
}

/** The same; throws a StatusError for a failure. */
export function valueOf(answer: Answer): unknown {
  if (
    (answer.as === "status" && answer.status.status === "Failure") ||
    (answer.as === "document" && answer.code >= 400)
  )
    throw failureOf(answer);
  return bodyValue(answer);
}

function listValue({ kind, entries, resourceVersion, continueToken, remainingItemCount }: ListAnswer): unknown {
  return {
    kind: kind.listKind,
    apiVersion: kind.group === "" ? kind.version : `${kind.group}/${kind.version}`,
    metadata: {
      ...(resourceVersion === "" ? {} : { resourceVersion }),
      ...(continueToken === undefined ? {} : { continue: continueToken }),
      ...(remainingItemCount === undefined ? {} : { remainingItemCount }),
    },
    items: entries.map((entry) => encodedObject(bytesOf(entry)).parse()),
  };
}

/** What another server sends, once all of it is there; any other answer as it is. */
export async function readWhole(answer: Answer): Promise<Answer> {
  if (answer.as !== "stream") return answer;
  const { code, headers, body } = answer;
  return {
    as: "document",
    code,
    contentType: String(headers["content-type"] ?? ""),
    headers,
    bytes: body ? await buffer(body) : new Uint8Array(0),
  };
}

/** The error in an answer that is none of those hoped for. */
export function failureOf(answer: Answer): Error {
  if (answer.as === "document")
    return (
      sentStatus(answer) ??
      new StatusError({
        code: answer.code,
        reason: answer.code === 429 ? "TooManyRequests" : answer.code === 504 ? "Timeout" : "",
        message: new TextDecoder().decode(answer.bytes).trim(),
      })
    );
  return answer.as === "status" ? statusError(answer.status) : new Error(`unexpected answer: ${answer.as}`);
}

/** Of another server that reports failures as this one does. */
function sentStatus({ contentType, bytes }: DocumentAnswer): StatusError | undefined {
  if (!contentType.startsWith("application/json")) return undefined;
  try {
    const value = parseJsonBody(bytes) as Partial<Status> | null;
    return value?.kind === "Status" ? statusError(value as Status) : undefined;
  } catch {
    return undefined; // then its text is all there is
  }
}

function statusError({ code = 500, reason = "", message = "", details }: Status): StatusError {
  return new StatusError({ code, reason, message, ...(details ? { details } : {}) });
}
