import type { StatusError } from "@coxswain/apimachinery/status";
import { lineOfField } from "@coxswain/apimachinery/yaml";
import { fieldSteps } from "./field-path.js";
import type { Finding } from "./finding.js";
import type { SourceObject } from "./read-objects.js";

type Refusal = Pick<Finding, "field" | "message">;

/** One finding for each cause that the server names, else one for the whole. */
export function findingsOfRefusal(object: SourceObject, named: string, { status }: StatusError): Finding[] {
  const reason = status.reason ?? "Unknown";
  return causesOf(status).map(({ field, message }) => ({
    level: "error",
    file: object.file,
    line: lineOf(object, field),
    object: named,
    field,
    reason,
    message,
  }));
}

export const lineOf = ({ text, firstLine, path }: SourceObject, field: string | undefined): number =>
  firstLine + lineOfField(text, [...path, ...(field === undefined ? [] : fieldSteps(field))]) - 1;

function causesOf({ message = "", details, reason }: StatusError["status"]): Refusal[] {
  const causes = (details?.causes ?? []).filter(
    ({ field }) => field !== undefined && field !== "" && field !== "<nil>",
  );
  if (reason === "Invalid" && causes.length > 0)
    return causes.map(({ field, message: text = "" }) => ({ field, message: `${field}: ${text}` }));
  const unknown = [...message.matchAll(/(?:unknown|duplicate) field "([^"]*)"/g)];
  return unknown.length > 0
    ? unknown.map(([text, field]) => ({ field, message: `strict decoding error: ${text}` }))
    : [{ field: undefined, message }];
}
