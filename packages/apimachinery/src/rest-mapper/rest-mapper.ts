import { smallest } from "../append/index.js";
import {
  formatGroupVersionKind,
  formatGroupVersionResource,
  type GroupKind,
  type GroupResource,
  type GroupVersionResource,
} from "../meta/group-version.js";
import { guessResource } from "./guess-resource.js";
import { ambiguousKinds, ambiguousResource, noKindMatch, noResourceMatch } from "./mapper-errors.js";
import type { PartialResource, RestMapper, RestMapping, ServedGroup } from "./rest-mapping.js";
import { ShortNames } from "./short-names.js";

interface Entry extends RestMapping {
  readonly singular: string;
  /** How well its group and version rank; less is better. */
  readonly rank: number;
}

/**
 * Priority, from top to bottom: the core group's v1, then each group's preferred version and its other versions.
 * @param options.warn is called for short names that several resources have
 */
export function createRestMapper(
  groups: readonly ServedGroup[],
  { warn }: { warn?: (message: string) => void } = {},
): RestMapper {
  const entries = groups.flatMap(entriesOf);
  const shortNames = new ShortNames(groups, warn);
  const byName = indexBy(entries, ({ resource, singular }) => new Set([resource.resource, singular]));
  // Upstream also finds kinds by their name in lower case.
  const byKind = indexBy(entries, ({ gvk }) => new Set([gvk.kind, gvk.kind.toLowerCase()]));

  const complete = (partial: PartialResource): GroupVersionResource => ({
    group: "",
    version: "",
    ...shortNames.expand(partial),
  });

  function matching({ group, version, resource }: GroupVersionResource): Entry[] {
    if (resource === "")
      throw new Error(`a resource must be present, got: ${formatGroupVersionResource({ group, version, resource })}`);
    const found = (byName.get(resource.toLowerCase()) ?? []).filter(
      // A group may be cut short, `ingresses.networking`; a version with it must be exact, and so must the group then.
      (entry) =>
        (version === "" || entry.gvk.version === version) &&
        (version === "" ? entry.gvk.group.startsWith(group) : group === "" || entry.gvk.group === group),
    );
    if (found.length === 0) throw noResourceMatch({ group, version, resource });
    return found;
  }

  function kindEntries(kind: GroupKind, versions: readonly string[]): Entry[] {
    const wanted = versions.filter((version) => version !== "");
    const found = (byKind.get(kind.kind) ?? []).filter(
      ({ gvk }) => gvk.group === kind.group && (wanted.length === 0 || wanted.includes(gvk.version)),
    );
    if (found.length === 0) throw noKindMatch(kind, versions);
    return found;
  }

  return {
    resourcesFor: (partial) => matching(complete(partial)).map(({ resource }) => resource),
    resourceFor(partial) {
      const asked = complete(partial);
      const found = matching(asked);
      const best = bestOf(found);
      if (best.length === 1 && best[0] !== undefined) return best[0].resource;
      throw ambiguousResource(
        asked,
        found.map(({ resource }) => resource),
      );
    },
    kindsFor: (partial) => lastOfVersion(matching(complete(partial))).map(({ gvk }) => gvk),
    kindFor(partial) {
      const asked = complete(partial);
      const found = lastOfVersion(matching(asked));
      const best = bestOf(found);
      if (best.length === 1 && best[0] !== undefined) return best[0].gvk;
      throw ambiguousKinds(
        formatGroupVersionResource(asked),
        found.map(({ gvk }) => gvk),
      );
    },
    mappings: (kind, ...versions) => kindEntries(kind, versions).map(mappingOf),
    mapping(kind, ...versions) {
      const found = kindEntries(kind, versions);
      const asked = versions.flatMap((version) => found.filter(({ gvk }) => gvk.version === version));
      const best = asked[0] === undefined ? bestOf(found) : [asked[0]];
      if (best.length === 1 && best[0] !== undefined) return mappingOf(best[0]);
      throw ambiguousKinds(
        formatGroupVersionKind({ ...kind, version: "" }),
        found.map(({ gvk }) => gvk),
      );
    },
    singular: (resource) => matching(complete({ resource }))[0]?.singular ?? resource,
    category: (name) => membersOf(groups, name),
  };
}

const mappingOf = ({ resource, gvk, namespaced }: Entry): RestMapping => ({ resource, gvk, namespaced });

function entriesOf({ name: group, preferredVersion, versions }: ServedGroup, groupRank: number): Entry[] {
  return versions.flatMap(({ version, resources }, versionRank) => {
    const gv = { group, version };
    const core = group === "" && version === "v1";
    const rank = core ? -1 : groupRank * 1000 + (version === preferredVersion ? 0 : versionRank + 1);
    const entry = (kind: string, resource: string, singular: string, namespaced: boolean): Entry => ({
      resource: { ...gv, resource },
      gvk: { ...gv, kind },
      namespaced,
      singular,
      rank,
    });
    const list = guessResource("List");
    return [
      ...resources
        // A name with a slash is a subresource.
        .filter(({ resource }) => !resource.includes("/"))
        .flatMap(({ resource, singular = "", kind, namespaced }) => {
          const guessed = guessResource(`${kind}List`);
          return [
            entry(kind, resource, singular === "" ? guessResource(kind).singular : singular, namespaced),
            entry(`${kind}List`, guessed.resource, guessed.singular, namespaced),
          ];
        }),
      entry("List", list.resource, list.singular, false),
    ];
  });
}

function indexBy(entries: readonly Entry[], namesOf: (entry: Entry) => Iterable<string>): Map<string, Entry[]> {
  const index = new Map<string, Entry[]>();
  for (const entry of entries) {
    for (const name of namesOf(entry)) {
      const found = index.get(name) ?? [];
      found.push(entry);
      index.set(name, found);
    }
  }
  return index;
}

/** Where a version uses one name twice, as a plural and as a singular, upstream knows only the last kind of that name. */
const lastOfVersion = (entries: readonly Entry[]): Entry[] => [
  ...new Map(entries.map((entry) => [`${entry.gvk.group}/${entry.gvk.version}`, entry])).values(),
];

/** Those of the best rank: one, unless a version uses one name twice. */
function bestOf(entries: readonly Entry[]): Entry[] {
  const best = smallest(entries.map(({ rank }) => rank));
  return entries.filter(({ rank }) => rank === best);
}

/** The resources of a category, each once; undefined where there is none. */
function membersOf(groups: readonly ServedGroup[], category: string): GroupResource[] | undefined {
  const members = groups.flatMap(({ name: group, versions }) =>
    versions.flatMap(({ resources }) =>
      resources.filter(({ categories }) => categories?.includes(category)).map(({ resource }) => ({ group, resource })),
    ),
  );
  const unique = new Map(members.map((member) => [`${member.group}/${member.resource}`, member]));
  return unique.size === 0 ? undefined : [...unique.values()];
}
