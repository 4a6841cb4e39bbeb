import { quoteGo } from "../field/index.js";
import { formatGroupResource } from "../meta/group-version.js";
import type { PartialResource, ServedGroup, ServedResource } from "./rest-mapping.js";

interface Listed extends ServedResource {
  readonly group: string;
}

/** What a short name stands for: `po`, `deploy`. Full names win over short ones; earlier groups over later ones. */
export class ShortNames {
  readonly #resources: readonly Listed[];
  readonly #byShortName = new Map<string, Listed[]>();
  readonly #fullNames = new Map<string, Set<string>>();
  readonly #warn: ((message: string) => void) | undefined;

  constructor(groups: readonly ServedGroup[], warn?: (message: string) => void) {
    this.#warn = warn;
    this.#resources = groups.flatMap(({ name, versions }) =>
      versions.flatMap(({ resources }) => resources.map((resource) => ({ ...resource, group: name }))),
    );
    for (const listed of this.#resources) {
      for (const name of [listed.resource, listed.singular ?? ""]) {
        const groupsOfName = this.#fullNames.get(name) ?? new Set<string>();
        this.#fullNames.set(name, groupsOfName.add(listed.group));
      }
      for (const short of listed.shortNames ?? [])
        this.#byShortName.set(short, [...(this.#byShortName.get(short) ?? []), listed]);
    }
  }

  /** The full name, without a version, where it was a short one; else what was given. */
  expand(partial: PartialResource): PartialResource {
    const { group = "", resource } = partial;
    const groupsOfName = this.#fullNames.get(resource);
    if (groupsOfName !== undefined && (group === "" || groupsOfName.has(group))) return partial;
    const candidates = this.#byShortName.get(resource) ?? [];
    const [first, ...others] = candidates.filter((candidate) => group === "" || candidate.group === group);
    if (first !== undefined) {
      this.#warnOf(resource, first, others);
      return { group: first.group, resource: first.resource };
    }
    const byPrefix = group === "" ? undefined : candidates.find((candidate) => candidate.group.startsWith(group));
    return byPrefix === undefined ? partial : { ...partial, group: byPrefix.group, resource: byPrefix.resource };
  }

  #warnOf(short: string, chosen: Listed, others: readonly Listed[]): void {
    const lower = others
      .filter((other) => other.group !== chosen.group || other.resource !== chosen.resource)
      .map(formatGroupResource);
    for (const name of new Set(lower))
      this.#warn?.(`short name ${quoteGo(short)} could also match lower priority resource ${name}`);
  }
}
