import { getOwn, setOwn } from "@coxswain/apimachinery/own";

export const templateGenerationAnnotation = "deprecated.daemonset.template.generation";

/** Counts the changes of the template. It was a field once, and has been an annotation since apps/v1: always there, as a number. */
export const templateGeneration = (metadata: { readonly annotations?: Readonly<Record<string, string>> }): number =>
  Number(getOwn(metadata.annotations, templateGenerationAnnotation) ?? 0) || 0;

export const setTemplateGeneration = (metadata: { annotations?: Record<string, string> }, generation: number): void =>
  setOwn((metadata.annotations ??= {}), templateGenerationAnnotation, String(generation));
