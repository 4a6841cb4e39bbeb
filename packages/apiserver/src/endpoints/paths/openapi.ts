import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { DocumentSources } from "../../documents/document-sources.js";
import { documentHash } from "../../documents/discovery/etag.js";
import { openAPIV2Document } from "../../documents/openapi-v2/document.js";
import { openAPIV2Types } from "../../documents/openapi-v2/media-types.js";
import { openAPIV2Protobuf } from "../../documents/openapi-v2/protobuf.js";
import { openAPIV3Document, openAPIV3Names } from "../../documents/openapi-v3/documents.js";
import { openAPIV3Index } from "../../documents/openapi-v3/index-document.js";
import { openAPIV3Types } from "../../documents/openapi-v3/media-types.js";
import { openAPIV3Protobuf } from "../../documents/openapi-v3/protobuf.js";
import type { ServedResource } from "../../documents/served-resource.js";
import type { DocumentAnswer } from "../../server/answer.js";
import type { RequestContext } from "../request-context.js";
import { acceptsGzip, gzipHeaders } from "../respond/gzip/accepts-gzip.js";
import { notModified } from "./not-modified.js";
import type { PathSource } from "./path-source.js";

interface Encoded {
  readonly bytes: Uint8Array;
  readonly etag: string;
}

const zip = promisify<Uint8Array, Buffer>(gzip);
/** Upstream compresses this document for whoever asks, and says so to caches in two lines. */
const v2Vary = ["Accept-Encoding", "Accept"];

/** `/openapi/v2`, `/openapi/v3` and its documents. Each is made when first asked for and kept. */
export function createOpenApi(resources: readonly ServedResource[], sources: () => Promise<DocumentSources>, version: string): PathSource {
  const kept = new Map<string, Promise<Encoded | undefined>>();
  const names = openAPIV3Names(resources);
  // What is served changes only with the version of the server, so that is all the hash has to say.
  const hash = documentHash(`${version} ${names.join(" ")}`);

  const keep = (key: string, make: () => Promise<Uint8Array | undefined>): Promise<Encoded | undefined> => {
    let made = kept.get(key);
    if (!made) kept.set(key, (made = make().then((bytes) => bytes && { bytes, etag: `"${documentHash(bytes)}"` })));
    return made;
  };

  async function v3(context: RequestContext, name: string): Promise<DocumentAnswer> {
    if (!names.includes(name)) return bare(404);
    const asked = context.query.text("hash");
    const type = pick(context, openAPIV3Types);
    if (!type) return bare(406, { vary: "Accept" });
    const document = await keep(`v3 ${type.form} ${name}`, async () => {
      const made = openAPIV3Document(name, resources, await sources());
      return made && (type.form === "json" ? new TextEncoder().encode(JSON.stringify(made)) : openAPIV3Protobuf(made));
    });
    if (!document) return bare(404);
    const headers = { etag: document.etag, vary: "Accept" };
    if (asked !== "" && asked !== hash) return { as: "document", code: 301, contentType: type.answer, headers: { ...headers, location: `/openapi/v3/${name}?hash=${hash}` }, bytes: new Uint8Array(0) };
    // An address with its hash names this very content, so it may be kept for good.
    const caching: Record<string, string> = asked === "" ? {} : { "cache-control": "public, immutable", expires: "Fri, 31 Dec 9999 23:59:59 GMT" };
    return notModified(context, document.etag) ?? { as: "document", code: 200, contentType: type.answer, headers: { ...headers, ...caching }, bytes: document.bytes };
  }

  async function v2(context: RequestContext): Promise<DocumentAnswer> {
    const type = pick(context, openAPIV2Types);
    if (!type) return bare(406, { vary: v2Vary });
    const document = await keep(`v2 ${type.form}`, async () => {
      const made = openAPIV2Document(resources, await sources());
      return type.form === "json" ? new TextEncoder().encode(JSON.stringify(made)) : openAPIV2Protobuf(made);
    });
    if (!document) return bare(404);
    const headers = { etag: document.etag, vary: v2Vary };
    const unchanged = notModified(context, document.etag);
    if (unchanged) return unchanged;
    if (!acceptsGzip(context.request.header("accept-encoding")) || context.request.method === "HEAD") return { as: "document", code: 200, contentType: type.answer, headers, bytes: document.bytes };
    const zipped = await keep(`v2 ${type.form} zipped`, () => zip(document.bytes));
    return { as: "document", code: 200, contentType: type.answer, headers: { ...headers, "content-encoding": gzipHeaders["content-encoding"] }, bytes: zipped?.bytes ?? document.bytes };
  }

  return (context) => {
    const { path } = context.info;
    if (path === "/openapi/v3") {
      const bytes = new TextEncoder().encode(JSON.stringify(openAPIV3Index(names, () => hash)));
      return { as: "document", code: 200, contentType: "text/plain; charset=utf-8", bytes };
    }
    if (path.startsWith("/openapi/v3/")) return v3(context, path.slice("/openapi/v3/".length));
    return path === "/openapi/v2" ? v2(context) : undefined;
  };
}

const bare = (code: number, headers: Readonly<Record<string, string | string[]>> = {}): DocumentAnswer => ({ as: "document", code, contentType: "", headers, bytes: new Uint8Array(0) });

interface Served {
  readonly accept: string;
  readonly answer: string;
  readonly form: "json" | "protobuf";
}

/** The first type of the Accept header that is served; without one, or with a wildcard, the first served. */
function pick({ request }: RequestContext, served: readonly Served[]): Served | undefined {
  const accept = request.header("accept") ?? "";
  if (accept === "") return served[0];
  for (const clause of accept.split(",")) {
    const wanted = clause.split(";")[0]?.trim() ?? "";
    if (wanted === "*/*" || wanted === "application/*") return served[0];
    const found = served.find((type) => type.accept === wanted);
    if (found) return found;
  }
  return undefined;
}
