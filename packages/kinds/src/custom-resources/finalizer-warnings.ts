import type { DeepReadonly } from "@coxswain/api";
import { quoteGo } from "@coxswain/apimachinery/field";
import { checkLabelKey, compareUtf8 } from "@coxswain/apimachinery/validation";
import type { CustomObject } from "./custom-object.js";

type Given = DeepReadonly<CustomObject>;

const standard = new Set(["orphan", "foregroundDeletion", "kubernetes"]);

/** Finalizers that might be mistaken for another's; only those that are new. */
export function finalizerWarnings(object: Given, old?: Given): string[] {
  const known = new Set(old?.metadata.finalizers);
  const added = [...new Set(object.metadata.finalizers)].filter((name) => !known.has(name)).sort(compareUtf8);
  return added.flatMap((name) =>
    problemsOf(name).map((problem) => `metadata.finalizers: ${quoteGo(name)}: ${problem}`),
  );
}

function problemsOf(name: string): string[] {
  const problems = [...checkLabelKey(name)];
  if (!name.includes("/") && !standard.has(name))
    problems.push(
      `prefer a domain-qualified finalizer name ${name.includes(".") ? "including a path (/) " : ""}to avoid accidental conflicts with other finalizer writers`,
    );
  return problems;
}
