import { checkPathSegmentName } from "@coxswain/apimachinery/validation";
import type { RequestContext } from "../request/request-context.js";
import { askedSelectors } from "./asked-selectors.js";
import type { Attributes } from "./attributes.js";

const verbsWithSelectors = new Set(["list", "watch", "deletecollection"]);

/** Verbs that old clients put into the path: there, selectors are not honoured everywhere. */
const verbInPath = /^\/(?:api|apis\/[^/]+)\/[^/]+\/watch\//;

/** What a request asks authorization for. */
export function attributesOf(context: RequestContext): Attributes {
  const { info, user } = context;
  const { verb, isResource, path, namespace, group, version, resource, subresource, name } = info;
  const asked = { user, verb, isResource, path, namespace, group, version, resource, subresource, name };
  return isResource && verbsWithSelectors.has(verb) && !verbInPath.test(path) ? selecting(context, asked) : asked;
}

function selecting({ query }: RequestContext, asked: Attributes): Attributes {
  const fields = query.text("fieldSelector");
  const labels = query.text("labelSelector");
  if (fields === "" && labels === "") return asked;
  const selectors = askedSelectors(fields, labels);
  // Who lists one object by its name is asked whether that object may be listed.
  const named =
    asked.verb === "deletecollection" || asked.name !== "" || selectors.labelSelector?.error !== undefined
      ? undefined
      : selectors.fieldSelector?.requirements.find(
          ({ field, operator }) => field === "metadata.name" && operator === "=",
        )?.value;
  return {
    ...asked,
    ...selectors,
    ...(named !== undefined && checkPathSegmentName(named).length === 0 ? { name: named } : {}),
  };
}
