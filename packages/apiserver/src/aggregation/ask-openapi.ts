import { documentHash } from "../documents/discovery/etag.js";
import { filterByPaths, type MergeableDocument } from "../documents/openapi-v2/merge.js";
import { openAPIV2Protobuf } from "../documents/openapi-v2/protobuf.js";
import { openAPIV3OfV2 } from "../documents/openapi-v2/to-v3.js";
import { openAPIV3Protobuf } from "../documents/openapi-v3/protobuf.js";
import { rootPath } from "./api-service.js";
import type { Backend } from "./backend.js";
import type { FetchedDocument, FetchHeaders } from "./fetch-document.js";
import { asObject, asText } from "./untrusted-json.js";

/** Fetches a document of a backend. */
type Get = (backend: Backend, path: string, headers: FetchHeaders) => Promise<FetchedDocument>;

export interface V2Document {
  /** Only of the backend's own group-version. */
  readonly document: MergeableDocument & { readonly info?: unknown };
  /** Identifies the content: an ETag, or a hash for servers without. */
  readonly tag: string;
  readonly isEtag: boolean;
}

/** The index of OpenAPI 3: addresses by name. Undefined: the backend has none. */
export async function askV3Index(get: Get, backend: Backend): Promise<ReadonlyMap<string, string> | undefined> {
  const answer = await get(backend, "/openapi/v3", []);
  if (answer.code === 404) return undefined;
  if (answer.code !== 200) throw new Error("Error, could not get list of group versions for APIService");
  const { paths } = asObject(JSON.parse(answer.body.toString()));
  return new Map(
    Object.entries(asObject(paths)).map(([path, item]) => [path, asText(asObject(item).serverRelativeURL)]),
  );
}

/** The document of OpenAPI 2; `before` itself where it has not changed. */
export async function askV2(
  get: Get,
  backend: Backend,
  before: V2Document | undefined,
): Promise<V2Document | undefined> {
  const answer = await get(backend, "/openapi/v2", [
    ["Accept", "application/json"],
    ...(before?.isEtag ? [["If-None-Match", before.tag] as const] : []),
  ]);
  if (answer.code === 304 && before) return before;
  if (answer.code === 404) return undefined;
  if (answer.code !== 200)
    throw new Error(`failed to retrieve openAPI spec, http error: ${answer.body.subarray(0, 1024).toString()}`);
  const { etag } = answer.headers;
  const tag = etag ?? documentHash(answer.body);
  return tag === before?.tag ? before : { document: readV2(answer, backend), tag, isEtag: etag !== undefined };
}

/** Throws for what could not be written again in each of our forms. */
function readV2({ body }: FetchedDocument, backend: Backend): V2Document["document"] {
  const { info, paths, definitions, parameters, securityDefinitions } = asObject(JSON.parse(body.toString()));
  const prefix = `${rootPath(backend)}/`;
  const document = filterByPaths(
    {
      info,
      securityDefinitions,
      paths: asObject(paths),
      definitions: asObject(definitions),
      parameters: asObject(parameters),
    },
    (path) => path.startsWith(prefix),
  );
  openAPIV2Protobuf({ swagger: "2.0", ...document } as never);
  openAPIV3Protobuf(openAPIV3OfV2(document));
  return document;
}
