import type { RandomSource } from "@coxswain/apimachinery/random";
import { badRequest } from "@coxswain/apimachinery/status";
import { createQuery } from "../endpoints/query.js";
import type { RequestContext } from "../endpoints/request-context.js";
import { readRequestInfo } from "../endpoints/request-info.js";
import { jsonForm } from "../endpoints/respond/json-form.js";
import { newUid } from "../objects/metadata.js";
import type { ApiRequest } from "./request.js";
import { anonymous } from "./user-info.js";

/** A client may name its request; a name that is not one word of reasonable length is not taken. */
const auditIdPattern = /^[\x21-\x7e]{1,64}$/;

export function openContext(request: ApiRequest, random: RandomSource): RequestContext {
  const query = createQuery(request.query);
  const given = request.header("audit-id");
  return {
    request,
    query,
    info: readInfo(request, query.flag("watch") === true),
    auditId: given !== undefined && auditIdPattern.test(given) ? given : newUid(random),
    user: anonymous,
    signal: request.signal,
    form: jsonForm,
    warnings: [],
  };
}

function readInfo({ method, path }: ApiRequest, isWatch: boolean) {
  const decoded = decodePath(path);
  const info = decoded === undefined ? undefined : readRequestInfo(method, decoded, isWatch);
  if (!info) throw badRequest(`unable to determine kind and namespace from url, ${path}`);
  return info;
}

/** Undefined for a path whose escapes are broken. */
function decodePath(path: string): string | undefined {
  if (!path.includes("%")) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}
