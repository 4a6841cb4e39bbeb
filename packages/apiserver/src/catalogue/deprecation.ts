import { findResource, type ResourceInfo } from "@coxswain/api/resources";
import { formatGroupVersion } from "@coxswain/apimachinery/meta";
import type { AnyKind } from "@coxswain/kinds";

/** The minor release that we serve. */
const current = 36;

/** What clients of a built-in kind that is on its way out are told with every answer; undefined: it is not. */
export function deprecationWarning({
  group,
  version,
  resource,
}: Pick<AnyKind, "group" | "version" | "resource">): string | undefined {
  const info = findResource(group, version, resource);
  return info && warningOf(info);
}

/** The release that serves the kind no longer, where that is known. */
export const removedRelease = ({
  group,
  version,
  resource,
}: Pick<AnyKind, "group" | "version" | "resource">): string | undefined =>
  findResource(group, version, resource)?.lifecycle?.removed;

function warningOf({ group, version, kind, lifecycle }: ResourceInfo): string | undefined {
  const { deprecated, removed, replacement } = lifecycle ?? {};
  if (deprecated === undefined || minorOf(deprecated) > current) return undefined;
  const gone = removed === undefined ? "" : `, unavailable in v${removed}+`;
  const use = replacement ? `; use ${formatGroupVersion(replacement)} ${replacement.kind}` : "";
  return `${formatGroupVersion({ group, version })} ${kind} is deprecated in v${deprecated}+${gone}${use}`;
}

const minorOf = (release: string): number => Number(release.slice(release.indexOf(".") + 1));
