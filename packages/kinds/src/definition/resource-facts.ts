import { findResource, type ResourceInfo, type SubresourceInfo } from "@coxswain/api/resources";
import { formatGroupVersion } from "@coxswain/apimachinery/meta";

/** What a server must know of a resource to route requests to it and to describe it. */
export interface ResourceFacts {
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  /** In discovery's order. */
  readonly verbs: readonly string[];
  readonly subresources: readonly SubresourceInfo[];
  /** storageVersionHash of discovery; "" where nothing is stored. */
  readonly hash: string;
  /** Present where every request gets a warning. */
  readonly deprecation?: Deprecation;
  /** Upstream stores it as protobuf, which forgets empty lists. Custom resources are stored as JSON. @default false */
  readonly storedAsProtobuf?: boolean;
  /** Present on custom resources: their documents are made from this. */
  readonly custom?: CustomResourceFacts;
  /** Present on kinds of a server of one's own: they have no protobuf form, and their documents are made from this. */
  readonly own?: OwnResourceFacts;
}

export interface OwnResourceFacts {
  /** By OpenAPI name: the kind's schema and the parts that it refers to, by `$ref` with the name alone. */
  readonly schemas: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
  /** JSON paths that field selectors may name. @default none */
  readonly selectableFields?: readonly string[];
}

export interface Deprecation {
  /** The text of the Warning header. */
  readonly warning: string;
  /** "1.40": the release that no longer serves it, where that is known. */
  readonly removedRelease?: string;
}

export interface CustomResourceFacts {
  /** `openAPIV3Schema` of the version, as the definition has it; undefined where there is none, or it is not structural. */
  readonly openAPIV3Schema: Readonly<Record<string, unknown>> | undefined;
  /** Whether the definition keeps all unknown members: OpenAPI 2 then names none. @default false */
  readonly preservesUnknown?: boolean;
  /** JSON paths of the version's `selectableFields`. @default none */
  readonly selectableFields?: readonly string[];
}

/** Of a kind that only travels in bodies and answers. */
export const noFacts: ResourceFacts = {
  singular: "",
  shortNames: [],
  categories: [],
  verbs: [],
  subresources: [],
  hash: "",
};

/** The minor release that is served. */
const servedMinor = 36;

/** Groups whose objects upstream stores as JSON. */
const jsonGroups: ReadonlySet<string> = new Set(["apiextensions.k8s.io", "apiregistration.k8s.io"]);

/** Whether requests for a built-in resource get a warning. */
export function builtInDeprecation(of: {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}): Deprecation | undefined {
  const info = findResource(of.group, of.version, of.resource);
  return info && deprecationOf(info);
}

/** The facts of a built-in resource. */
export function factsOf(info: ResourceInfo): ResourceFacts {
  const { singular, shortNames, categories, verbs, subresources, hash, group } = info;
  const deprecation = deprecationOf(info);
  return {
    singular,
    shortNames,
    categories,
    verbs,
    subresources,
    hash,
    storedAsProtobuf: info.storage !== undefined && !jsonGroups.has(group),
    ...(deprecation && { deprecation }),
  };
}

function deprecationOf({ group, version, kind, lifecycle }: ResourceInfo): Deprecation | undefined {
  const { deprecated, removed, replacement } = lifecycle ?? {};
  if (deprecated === undefined || minorOf(deprecated) > servedMinor) return undefined;
  const gone = removed === undefined ? "" : `, unavailable in v${removed}+`;
  const use = replacement ? `; use ${formatGroupVersion(replacement)} ${replacement.kind}` : "";
  return {
    warning: `${formatGroupVersion({ group, version })} ${kind} is deprecated in v${deprecated}+${gone}${use}`,
    ...(removed !== undefined && { removedRelease: removed }),
  };
}

const minorOf = (release: string): number => Number(release.slice(release.indexOf(".") + 1));
