import { builtInGroups } from "@coxswain/api/resources";
import { stringifyJson } from "@coxswain/apimachinery/json";
import { discoveryRestrictions, findOutput, type MediaTypeName } from "@coxswain/apimachinery/negotiation";
import { type Catalogue, perGeneration } from "../../catalogue/catalogue.js";
import {
  aggregatedDiscovery,
  type DiscoveredGroupVersion,
  discoverResources,
} from "../../documents/discovery/aggregated.js";
import { discoveryETag } from "../../documents/discovery/etag.js";
import { groupVersionsOf, type RankedGroupVersion } from "../../documents/discovery/group-versions.js";
import { apiGroup, apiGroupList, apiResourceList, apiVersions } from "../../documents/discovery/legacy.js";
import { aggregatedDiscoveryTypes } from "../../documents/discovery/media-types.js";
import { rankGroupVersions } from "../../documents/discovery/rank-group-versions.js";
import { groupVersionOf, type ServedResource, servedResource } from "../../documents/served-resource.js";
import type { Answer, DocumentAnswer } from "../../request/answer.js";
import type { RequestContext } from "../../request/request-context.js";
import { checkAccept } from "../route-media.js";
import { methodNotAllowed, resourceNotFound } from "../router-errors.js";
import { apiAnswer, encodeDocument } from "./api-answer.js";
import { notModified } from "./not-modified.js";
import type { PathSource } from "./path-source.js";

interface Aggregated {
  readonly bytes: Uint8Array;
  readonly etag: string;
  readonly json: () => string;
}

const meta = "io.k8s.apimachinery.pkg.apis.meta.v1";
const discoveryList = "io.k8s.api.apidiscovery.v2.APIGroupDiscoveryList";

const contentTypes: Readonly<Record<MediaTypeName, string>> = {
  "application/json": aggregatedDiscoveryTypes.json,
  "application/yaml": aggregatedDiscoveryTypes.yaml,
  "application/vnd.kubernetes.protobuf": aggregatedDiscoveryTypes.protobuf,
};

/** What follows from APIServices: which groups are listed, in which order, and what aggregated servers serve. */
export interface RegisteredApis {
  /** Grows with every change. */
  readonly generation: number;
  /** Every APIService, in the order of their names. */
  ranked(): readonly RankedGroupVersion[];
  /** Those of aggregated servers. */
  remote(): readonly DiscoveredGroupVersion[];
}

/** `/api`, `/apis` and what lies below them up to the resources: the old documents, and the aggregated one for who asks for it. */
export function createDiscovery(
  catalogue: Catalogue,
  registered: RegisteredApis,
  serverAddress: () => string,
): PathSource {
  const generations = {
    get generation() {
      return catalogue.generation + registered.generation;
    },
  };
  const current = perGeneration(generations, () =>
    discoveryOf(catalogue.kinds().map(servedResource), registered, serverAddress),
  );
  return (context) => current()(context);
}

function discoveryOf(
  resources: readonly ServedResource[],
  registered: RegisteredApis,
  serverAddress: () => string,
): PathSource {
  const ranked = rankGroupVersions(resources, builtInGroups);
  const byGroupVersion = groupVersionsOf(resources);
  const listed = listedVersions(ranked, registered.ranked(), byGroupVersion);
  /** A server of one's own has no core group. */
  const isOwn = resources.every(({ own }) => own);
  const kept = new Map<string, Promise<Aggregated>>();

  async function makeAggregated(core: boolean, form: MediaTypeName): Promise<Aggregated> {
    const remote = core ? [] : registered.remote().filter(({ group }) => group !== "");
    const theirs = new Set(remote.map(groupVersionOf));
    const versions = ranked.filter((of) => (of.group === "") === core && !theirs.has(groupVersionOf(of)));
    const document = aggregatedDiscovery([
      ...versions.map((of) => ({ ...of, resources: discoverResources(byGroupVersion.get(groupVersionOf(of)) ?? []) })),
      ...remote,
    ]);
    return {
      bytes: await encodeDocument(document, discoveryList, form, false),
      etag: discoveryETag(document),
      json: () => stringifyJson(document),
    };
  }

  /** The aggregated document; undefined: the client did not ask for it. */
  async function aggregated(context: RequestContext, core: boolean): Promise<DocumentAnswer | undefined> {
    const accepted = findOutput({ accept: context.request.header("accept") }, { restrictions: discoveryRestrictions });
    if (!accepted?.convert) return undefined; // without an Accept header nothing is asked for
    const key = `${accepted.mediaType} ${core}`;
    let made = kept.get(key);
    if (!made) kept.set(key, (made = makeAggregated(core, accepted.mediaType)));
    const { bytes, etag, json } = await made;
    const headers = { vary: "Accept", etag, "cache-control": "public" };
    return (
      notModified(context, etag) ?? {
        as: "document",
        code: 200,
        contentType: contentTypes[accepted.mediaType],
        headers,
        bytes,
        json,
      }
    );
  }

  return (context) => {
    const [, prefix, first, second, ...more] = context.info.path.replace(/\/$/, "").split("/", 5);
    if (more.length > 0) return undefined;
    if (prefix === "api" && !isOwn)
      return first === undefined ? core(context) : second === undefined ? resourcesOf(context, "", first) : undefined;
    if (prefix !== "apis") return undefined;
    if (first === undefined) return groups(context);
    if (first === "") return undefined;
    if (second !== undefined) return resourcesOf(context, first, second);
    const group = apiGroup(first, listed) ?? apiGroup(first, ranked);
    return group && apiAnswer(context, group, `${meta}.APIGroup`);
  };

  async function core(context: RequestContext): Promise<Answer> {
    readable(context);
    return (await aggregated(context, true)) ?? apiAnswer(context, apiVersions(serverAddress()), `${meta}.APIVersions`);
  }

  /** Upstream's aggregator answers this path and those of the groups whatever the method. */
  async function groups(context: RequestContext): Promise<Answer> {
    return (await aggregated(context, false)) ?? apiAnswer(context, apiGroupList(listed), `${meta}.APIGroupList`);
  }

  /** Undefined where nothing of the group is served. */
  function resourcesOf(context: RequestContext, group: string, version: string): Promise<Answer> | undefined {
    if (!ranked.some((of) => of.group === group)) return undefined;
    const own = byGroupVersion.get(groupVersionOf({ group, version }));
    if (!own) throw resourceNotFound();
    readable(context);
    return apiAnswer(context, apiResourceList({ group, version }, own), `${meta}.APIResourceList`);
  }
}

/**
 * What the older documents list: upstream makes them of the APIServices and of its own group, which has none. A custom resource, or a kind of one's own, is
 * listed as soon as it is served.
 */
function listedVersions(
  served: readonly RankedGroupVersion[],
  registered: readonly RankedGroupVersion[],
  resources: ReadonlyMap<string, readonly ServedResource[]>,
): readonly RankedGroupVersion[] {
  const known = new Set(registered.map(groupVersionOf));
  const unregistered = served.filter(
    (of) =>
      !known.has(groupVersionOf(of)) &&
      (of.group === "apiregistration.k8s.io" ||
        resources.get(groupVersionOf(of))?.some(({ custom, own }) => custom ?? own)),
  );
  return [...unregistered, ...registered];
}

function readable({ request }: RequestContext): void {
  if (request.method !== "GET") throw methodNotAllowed();
  checkAccept(request);
}
