import type { ObjectMeta } from "@coxswain/apimachinery/meta";
import { getOwn } from "@coxswain/apimachinery/own";

interface Class {
  readonly metadata: Readonly<ObjectMeta>;
}

/** The class that is marked as default; of several the newest, then the first by name. */
export function defaultClass<T extends Class>(classes: Iterable<T>, annotations: readonly string[]): T | undefined {
  const marked = [...classes].filter(({ metadata }) =>
    annotations.some((name) => getOwn(metadata.annotations, name) === "true"),
  );
  const made = ({ metadata }: T): string => metadata.creationTimestamp ?? "";
  return marked.sort((a, b) =>
    made(a) === made(b) ? ((a.metadata.name ?? "") < (b.metadata.name ?? "") ? -1 : 1) : made(a) < made(b) ? 1 : -1,
  )[0];
}
