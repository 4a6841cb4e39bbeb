import { notAcceptable } from "../status/index.js";
import { type AcceptClause, parseAccept } from "./accept.js";
import {
  type MediaType,
  type MediaTypeName,
  mediaTypeNames,
  servedMediaTypes,
  streamMediaTypeNames,
} from "./media-types.js";
import { isPrettyRequest } from "./pretty.js";
import { type ConversionTarget, type EndpointRestrictions, plainRestrictions } from "./restrictions.js";

/** What of a request decides on the form of its answer. */
export interface OutputRequest {
  /** The Accept header; absent: anything. */
  readonly accept?: string | undefined;
  /** The query parameter `pretty`. */
  readonly pretty?: string | undefined;
  readonly userAgent?: string | undefined;
}

export interface OutputOptions {
  /** @default what the API server speaks */
  readonly served?: readonly MediaType[];
  /** @default no conversion */
  readonly restrictions?: EndpointRestrictions;
}

/** The form to answer in. */
export interface Output {
  readonly mediaType: MediaTypeName;
  readonly pretty: boolean;
  /** "watch" if the client named the stream; "" if not. */
  readonly stream: string;
  /** The kind to answer with instead of the object. */
  readonly convert: ConversionTarget | undefined;
  /** Of discovery: "nopeer" and the like, "" if not given. */
  readonly profile: string;
}

/** Throws 406 NotAcceptable. */
export function negotiateOutput(request: OutputRequest, options: OutputOptions = {}): Output {
  const served = options.served ?? servedMediaTypes;
  const found = negotiate(request.accept ?? "", served, options.restrictions ?? plainRestrictions);
  if (!found) throw notAcceptable(mediaTypeNames(served));
  return outputOf(found, found.accepted.pretty && (found.pretty || isPrettyRequest(request)));
}

/** The same for a watch. Throws 406 NotAcceptable, also for a form that has no stream (YAML). */
export function negotiateStream(request: OutputRequest, options: OutputOptions = {}): Output {
  const served = options.served ?? servedMediaTypes;
  const found = negotiate(request.accept ?? "", served, options.restrictions ?? plainRestrictions);
  if (!found?.accepted.streams) throw notAcceptable(streamMediaTypeNames(served));
  return outputOf(found, false);
}

/** The same, with undefined where the others throw: for discovery, which then answers in its old form. */
export function findOutput(request: OutputRequest, options: OutputOptions = {}): Output | undefined {
  const found = negotiate(
    request.accept ?? "",
    options.served ?? servedMediaTypes,
    options.restrictions ?? plainRestrictions,
  );
  return found && outputOf(found, found.pretty);
}

const outputOf = ({ accepted, stream, convert, profile }: Found, pretty: boolean): Output => ({
  mediaType: accepted.name,
  pretty,
  stream,
  convert,
  profile,
});

interface Found {
  readonly accepted: MediaType;
  readonly pretty: boolean;
  readonly stream: string;
  readonly convert: ConversionTarget | undefined;
  readonly profile: string;
}

function negotiate(
  accept: string,
  served: readonly MediaType[],
  restrictions: EndpointRestrictions,
): Found | undefined {
  const [first] = served;
  if (accept === "" && first) return { accepted: first, pretty: false, stream: "", convert: undefined, profile: "" };
  for (const clause of parseAccept(accept)) {
    for (const accepted of served) {
      const found = matches(clause, accepted.name) ? applyParams(clause, accepted, restrictions) : undefined;
      if (found) return found;
    }
  }
  return undefined;
}

function matches(clause: AcceptClause, name: MediaTypeName): boolean {
  const [type, subtype] = name.split("/");
  return (
    (clause.type === type && (clause.subtype === subtype || clause.subtype === "*")) ||
    (clause.type === "*" && clause.subtype === "*")
  );
}

function applyParams(
  { params }: AcceptClause,
  accepted: MediaType,
  restrictions: EndpointRestrictions,
): Found | undefined {
  const converts = params.has("as") || params.has("g") || params.has("v");
  const convert = converts
    ? { group: params.get("g") ?? "", version: params.get("v") ?? "", kind: params.get("as") ?? "" }
    : undefined;
  const stream = params.get("stream") ?? "";
  const serverVersion = params.get("sv") ?? "";
  if (stream !== "" && (!accepted.streams || stream !== "watch")) return undefined;
  if (serverVersion !== "" && !restrictions.allowsServerVersion(serverVersion)) return undefined;
  if (!restrictions.allowsTransform(accepted.name, convert)) return undefined;
  return { accepted, pretty: params.get("pretty") === "1", stream, convert, profile: params.get("profile") ?? "" };
}
