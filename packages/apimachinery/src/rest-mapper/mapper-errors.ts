import { quoteGo } from "../field/index.js";
import {
  formatGroupVersion,
  formatGroupVersionKind,
  formatGroupVersionResource,
  type GroupKind,
  type GroupVersionKind,
  type GroupVersionResource,
} from "../meta/group-version.js";
import { compareUtf8 } from "../text/utf8-order.js";

/** Nothing served has that name. Messages are upstream's. */
export class NoMatchError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "NoMatchError";
  }
}

/** Several have it, and nothing prefers one of them. */
export class AmbiguousMatchError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "AmbiguousMatchError";
  }
}

export const noResourceMatch = (partial: GroupVersionResource): NoMatchError =>
  new NoMatchError(`no matches for ${formatGroupVersionResource(partial)}`);

export function noKindMatch({ group, kind }: GroupKind, versions: readonly string[]): NoMatchError {
  const searched = [...new Set(versions.map((version) => formatGroupVersion({ group, version })))]
    .sort(compareUtf8)
    .map(quoteGo);
  const where =
    searched.length === 0
      ? `group ${quoteGo(group)}`
      : searched.length === 1
        ? `version ${searched[0]}`
        : `versions [${searched.join(" ")}]`;
  return new NoMatchError(`no matches for kind ${quoteGo(kind)} in ${where}`);
}

export const ambiguousResource = (
  partial: GroupVersionResource,
  matches: readonly GroupVersionResource[],
): AmbiguousMatchError =>
  new AmbiguousMatchError(
    `${formatGroupVersionResource(partial)} matches multiple resources [${matches.map(formatGroupVersionResource).join(" ")}]`,
  );

export const ambiguousKinds = (partial: string, matches: readonly GroupVersionKind[]): AmbiguousMatchError =>
  new AmbiguousMatchError(`${partial} matches multiple kinds [${matches.map(formatGroupVersionKind).join(" ")}]`);
