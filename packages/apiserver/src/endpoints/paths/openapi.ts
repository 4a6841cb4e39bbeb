import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { parseAccept } from "@coxswain/apimachinery/negotiation";
import { type Catalogue, perGeneration } from "../../catalogue/catalogue.js";
import { documentHash } from "../../documents/discovery/etag.js";
import type { DocumentSources } from "../../documents/document-sources.js";
import { type OpenAPIV2Document, openAPIV2Document } from "../../documents/openapi-v2/document.js";
import { openAPIV2Types } from "../../documents/openapi-v2/media-types.js";
import { mergeDocuments } from "../../documents/openapi-v2/merge.js";
import { openAPIV2Protobuf } from "../../documents/openapi-v2/protobuf.js";
import { openAPIV3Document, openAPIV3Hash, openAPIV3Names } from "../../documents/openapi-v3/documents.js";
import { openAPIV3Index } from "../../documents/openapi-v3/index-document.js";
import { openAPIV3Types } from "../../documents/openapi-v3/media-types.js";
import { openAPIV3Protobuf } from "../../documents/openapi-v3/protobuf.js";
import { type ServedResource, servedResource } from "../../documents/served-resource.js";
import type { Answer, DocumentAnswer } from "../../request/answer.js";
import type { RequestContext } from "../../request/request-context.js";
import { acceptsGzip, gzipHeaders } from "../respond/gzip/accepts-gzip.js";
import type { PathSource } from "./path-source.js";
import type { RemoteOpenApi, RemoteV3Document } from "./remote-openapi.js";
import { type Content, serveContent } from "./serve-content.js";

interface Encoded {
  readonly bytes: Uint8Array;
  readonly etag: string;
}

export interface OpenApiOptions {
  sources(): Promise<DocumentSources>;
  /** Of the server. */
  readonly version: string;
  /** Milliseconds since 1970. */
  now(): number;
  readonly remote: RemoteOpenApi;
}

const zip = promisify<Uint8Array, Buffer>(gzip);
/** Upstream compresses this document for clients that ask, and sends `Vary` in two lines. */
const v2Vary = ["Accept-Encoding", "Accept"];

/** `/openapi/v2`, `/openapi/v3` and its documents. Each is made when first asked for and kept as long as it is the same. */
export function createOpenApi(catalogue: Catalogue, options: OpenApiOptions): PathSource {
  let before: Kept = new Map();
  let lastMade = Number.NEGATIVE_INFINITY;
  const generations = {
    get generation() {
      return catalogue.generation + options.remote.generation;
    },
  };
  const current = perGeneration(generations, () => {
    const modifiedAt = options.now();
    // kubectl keeps the index, and asks by its date whether it still holds: definitions may change twice in a second.
    const isDateAmbiguous = Math.floor(modifiedAt / 1000) === Math.floor(lastMade / 1000);
    const documents = new OpenApiDocuments(catalogue, options, { before, modifiedAt, isDateAmbiguous });
    before = documents.kept;
    lastMade = modifiedAt;
    return (context: RequestContext) => documents.serve(context);
  });
  current(); // the documents are as old as the server
  return (context) => current()(context);
}

/** By version, form and hash of the document. */
type Kept = Map<string, Promise<Encoded | undefined>>;

interface Edition extends Pick<Content, "modifiedAt" | "isDateAmbiguous"> {
  /** What the last one made. */
  readonly before: Kept;
}

/** The documents of one state of the catalogue. */
class OpenApiDocuments {
  readonly kept: Kept = new Map();
  readonly #options: OpenApiOptions;
  readonly #before: Kept;
  readonly #dates: Pick<Edition, "modifiedAt" | "isDateAmbiguous">;
  readonly #resources: readonly ServedResource[];
  readonly #generation: number;
  /** What this server describes itself counts where another does so too. */
  readonly #remotes: ReadonlyMap<string, RemoteV3Document>;
  readonly #names: readonly string[];
  readonly #hashes = new Map<string, string>();

  constructor(catalogue: Catalogue, options: OpenApiOptions, { before, ...dates }: Edition) {
    this.#options = options;
    this.#before = before;
    this.#dates = dates;
    this.#resources = catalogue.kinds().map(servedResource);
    this.#generation = catalogue.generation + options.remote.generation;
    const local = openAPIV3Names(this.#resources);
    this.#remotes = new Map([...options.remote.v3()].filter(([name]) => !local.includes(name)));
    this.#names = [...local, ...this.#remotes.keys()];
  }

  serve(context: RequestContext): ReturnType<PathSource> {
    const { path } = context.info;
    if (path === "/openapi/v3") {
      const index = openAPIV3Index(this.#names, (name) => this.#urlOf(name));
      return serveContent(context, {
        bytes: new TextEncoder().encode(JSON.stringify(index)),
        ...this.#dates,
        contentType: "text/plain; charset=utf-8",
        refusalType: "",
      });
    }
    if (path.startsWith("/openapi/v3/")) return this.#v3(context, path.slice("/openapi/v3/".length));
    return path === "/openapi/v2" ? this.#v2(context) : undefined;
  }

  async #v3(context: RequestContext, name: string): Promise<Answer> {
    if (!this.#names.includes(name)) return bare(404);
    const elsewhere = this.#remotes.get(name);
    if (elsewhere?.as === "proxied") return elsewhere.handle(context);
    const asked = context.query.text("hash");
    const hash = this.#hashOf(name);
    const type = pick(context, openAPIV3Types);
    if (!type) return bare(406, { vary: "Accept" });
    const document = await this.#keep(`v3 ${type.form} ${name} ${hash}`, async () => {
      const made = elsewhere?.document ?? openAPIV3Document(name, this.#resources, await this.#options.sources());
      return made && (type.form === "json" ? new TextEncoder().encode(JSON.stringify(made)) : openAPIV3Protobuf(made));
    });
    if (!document) return bare(404);
    const { bytes, etag } = document;
    if (asked !== "" && asked !== hash)
      return {
        as: "document",
        code: 301,
        contentType: type.answer,
        headers: { etag, vary: "Accept", location: `/openapi/v3/${name}?hash=${hash}` },
        bytes: new Uint8Array(0),
      };
    // An address with its hash names this very content, so it may be kept for good.
    const caching: Record<string, string> =
      asked === "" ? {} : { "cache-control": "public, immutable", expires: "Fri, 31 Dec 9999 23:59:59 GMT" };
    return serveContent(context, {
      bytes,
      etag,
      ...this.#dates,
      contentType: type.answer,
      headers: { vary: "Accept", ...caching },
    });
  }

  async #v2(context: RequestContext): Promise<DocumentAnswer> {
    const type = pick(context, openAPIV2Types);
    if (!type) return bare(406, { vary: v2Vary });
    const document = await this.#keep(`v2 ${type.form} ${this.#generation}`, async () => {
      const local = openAPIV2Document(this.#resources, await this.#options.sources());
      const made = this.#options.remote.v2().reduce<OpenAPIV2Document>(mergeDocuments, local);
      return type.form === "json" ? new TextEncoder().encode(JSON.stringify(made)) : openAPIV2Protobuf(made);
    });
    if (!document) return bare(404);
    const { bytes, etag } = document;
    const answer = serveContent(context, {
      bytes,
      etag,
      ...this.#dates,
      contentType: type.answer,
      headers: { vary: v2Vary },
    });
    if (
      answer.code !== 200 ||
      !acceptsGzip(context.request.header("accept-encoding")) ||
      context.request.method === "HEAD"
    )
      return answer;
    const zipped = await this.#keep(`v2 ${type.form} ${this.#generation} zipped`, () => zip(bytes));
    return {
      ...answer,
      headers: { ...answer.headers, "content-encoding": gzipHeaders["content-encoding"] },
      bytes: zipped?.bytes ?? bytes,
    };
  }

  #hashOf(name: string): string {
    const known = this.#hashes.get(name);
    if (known !== undefined) return known;
    const converted = this.#remotes.get(name);
    const content =
      converted?.as === "converted"
        ? JSON.stringify(converted.document)
        : `${this.#options.version} ${openAPIV3Hash(name, this.#resources)}`;
    const hash = documentHash(content);
    this.#hashes.set(name, hash);
    return hash;
  }

  #urlOf(name: string): string {
    const elsewhere = this.#remotes.get(name);
    return elsewhere?.as === "proxied" ? elsewhere.url : `/openapi/v3/${name}?hash=${this.#hashOf(name)}`;
  }

  #keep(key: string, make: () => Promise<Uint8Array | undefined>): Promise<Encoded | undefined> {
    let made = this.kept.get(key) ?? this.#before.get(key);
    made ??= make().then((bytes) => bytes && { bytes, etag: `"${documentHash(bytes)}"` });
    this.kept.set(key, made);
    return made;
  }
}

const bare = (code: number, headers: Readonly<Record<string, string | string[]>> = {}): DocumentAnswer => ({
  as: "document",
  code,
  contentType: "",
  headers,
  bytes: new Uint8Array(0),
});

interface Served {
  readonly accept: string;
  readonly answer: string;
  readonly form: "json" | "protobuf";
}

/** The type that the Accept header likes best among those that are served; without one, or with a wildcard, the first served. */
function pick({ request }: RequestContext, served: readonly Served[]): Served | undefined {
  const accept = request.header("accept") ?? "";
  if (accept === "") return served[0];
  for (const { type, subtype } of parseAccept(accept)) {
    const wanted = `${type}/${subtype}`;
    if (wanted === "*/*" || wanted === "application/*") return served[0];
    const found = served.find((one) => one.accept === wanted);
    if (found) return found;
  }
  return undefined;
}
