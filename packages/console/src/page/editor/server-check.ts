import type { Diagnostic } from "@codemirror/lint";
import type { EditorView } from "@codemirror/view";
import { asDryRun } from "../../contract/action.js";
import type { KubernetesValue, ObjectRef, Problem } from "../../contract/messages.js";
import { replaceAction } from "../actions.js";
import { app } from "../app-state.js";
import { CallError } from "../worker-client.js";
import { lineOfField, scanYaml } from "./yaml-lines.js";

/** A sentence of the server, and the field that it is about. */
export interface FieldProblem {
  readonly field: string;
  readonly message: string;
}

/** Pure: the fields that a refusal names: causes of a Status, or texts of strict decoding. */
export function fieldProblems({ message, causes = [] }: Pick<Problem, "message" | "causes">): FieldProblem[] {
  const strict = [...message.matchAll(/(?:unknown|duplicate) field "([^"]{1,500})"/g)];
  if (strict.length > 0) return strict.map(([text, field = ""]) => ({ field, message: text }));
  return causes.length > 0 ? [...causes] : [{ field: "", message }];
}

/** The server's own checks of what is typed, as a dry run: decoding, defaults, admission, validation. */
export async function checkDocument(view: EditorView, ref: ObjectRef): Promise<Diagnostic[]> {
  const text = view.state.doc.toString();
  const parsed = await app().worker.call("parse", { text });
  if ("problem" in parsed) return [at(view, parsed.line - 1, parsed.problem)];
  if (app().cluster.readOnly) return [];
  try {
    await app().worker.call("send", { request: asDryRun(replaceAction(ref, withoutStatus(parsed.value)).request) });
    return [];
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    const scanned = scanYaml(text);
    return fieldProblems(error.problem).map(({ field, message }) =>
      at(view, field === "" ? 0 : lineOfField(scanned, field), message),
    );
  }
}

/** The status is another resource's. */
export function withoutStatus(object: KubernetesValue): KubernetesValue {
  const { status: _, ...rest } = object;
  return rest;
}

function at(view: EditorView, line: number, message: string): Diagnostic {
  const { from, to, text } = view.state.doc.line(Math.max(1, Math.min(view.state.doc.lines, line + 1)));
  return { from: from + (text.length - text.trimStart().length), to, severity: "error", message };
}
