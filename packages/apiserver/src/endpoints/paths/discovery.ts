import { builtInGroups } from "@coxswain/api/resources";
import { discoveryRestrictions, findOutput, negotiateOutput, plainRestrictions } from "@coxswain/apimachinery/negotiation";
import { rankGroupVersions } from "../../documents/built-in-resources.js";
import { aggregatedDiscovery, discoverResources } from "../../documents/discovery/aggregated.js";
import { discoveryETag } from "../../documents/discovery/etag.js";
import { groupVersionsOf } from "../../documents/discovery/group-versions.js";
import { apiGroup, apiGroupList, apiResourceList, apiVersions } from "../../documents/discovery/legacy.js";
import { aggregatedDiscoveryTypes } from "../../documents/discovery/media-types.js";
import type { ServedResource } from "../../documents/served-resource.js";
import type { DocumentAnswer } from "../../server/answer.js";
import { methodNotAllowed } from "../router-errors.js";
import type { RequestContext } from "../request-context.js";
import { jsonAnswer, notModified } from "./json-answer.js";
import type { PathSource } from "./path-source.js";

/** `/api`, `/apis` and what lies below them up to the resources: the old documents, and the aggregated one for who asks for it. */
export function createDiscovery(resources: readonly ServedResource[], serverAddress: () => string): PathSource {
  const ranked = rankGroupVersions(resources, builtInGroups);
  const byGroupVersion = groupVersionsOf(resources);
  const aggregated = new Map<string, { text: string; etag: string }>();

  function aggregatedOf(core: boolean): { text: string; etag: string } {
    const key = String(core);
    let made = aggregated.get(key);
    if (!made) {
      const versions = ranked.filter(({ group }) => (group === "") === core);
      const document = aggregatedDiscovery(versions.map((of) => ({ ...of, resources: discoverResources(byGroupVersion.get(of.group === "" ? of.version : `${of.group}/${of.version}`) ?? []) })));
      aggregated.set(key, (made = { text: `${JSON.stringify(document)}\n`, etag: discoveryETag(document) }));
    }
    return made;
  }

  function root(context: RequestContext, core: boolean): DocumentAnswer {
    const wish = { accept: context.request.header("accept") };
    if (!findOutput(wish, { restrictions: discoveryRestrictions })) {
      negotiateOutput(wish, { restrictions: plainRestrictions });
      const document = core ? apiVersions(serverAddress()) : apiGroupList(ranked.filter(({ group }) => group !== ""));
      return jsonAnswer(context, document);
    }
    const { text, etag } = aggregatedOf(core);
    return notModified(context, etag) ?? { as: "document", code: 200, contentType: aggregatedDiscoveryTypes.json, headers: { vary: "Accept", etag, "cache-control": "public" }, bytes: new TextEncoder().encode(text) };
  }

  return (context) => {
    const { info } = context;
    const path = info.path.replace(/\/$/, "");
    const answer = path === "/api" ? root(context, true) : path === "/apis" ? root(context, false) : below(context, path);
    if (answer && info.verb !== "get" && info.verb !== "head") throw methodNotAllowed();
    return answer;
  };

  function below(context: RequestContext, path: string): DocumentAnswer | undefined {
    const [, prefix, first = "", second, ...more] = path.split("/");
    if (more.length > 0) return undefined;
    if (prefix === "api" && second === undefined) return resourcesOf(context, { group: "", version: first });
    if (prefix !== "apis") return undefined;
    if (second !== undefined) return resourcesOf(context, { group: first, version: second });
    const group = first === "" ? undefined : apiGroup(first, ranked);
    return group && jsonAnswer(context, group);
  }

  function resourcesOf(context: RequestContext, of: { group: string; version: string }): DocumentAnswer | undefined {
    const own = byGroupVersion.get(of.group === "" ? of.version : `${of.group}/${of.version}`);
    return own && jsonAnswer(context, apiResourceList(of, own));
  }
}
