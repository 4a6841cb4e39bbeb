import { type GoUrl, parseGoUrl, queryParameters, requestUriError, splitHost } from "@coxswain/apimachinery/validation";
import { type FunctionDeclaration } from "../declarations/function-declaration.js";
import { type Library } from "../library/library.js";
import { boolType, listType, mapType, objectType, stringType, type Type } from "../types/type.js";
import { ArrayList } from "../values/list-value.js";
import { EntriesMap } from "../values/map-value.js";
import { CelError, OpaqueValue, type Value } from "../values/value.js";
import { makesText } from "./text-costs.js";

export const urlType = objectType("kubernetes.URL");

export class UrlValue extends OpaqueValue {
  readonly type = urlType;
  readonly url: GoUrl;
  constructor(url: GoUrl) {
    super();
    this.url = url;
  }
  override canEqual(other: Value): boolean {
    return other instanceof UrlValue;
  }
  equals(other: Value): boolean {
    return other instanceof UrlValue && other.url.text === this.url.text;
  }
  toString(): string {
    return this.url.text;
  }
}

function toUrl(text: string): Value {
  // The stricter reading is only for its errors: it takes a fragment for a part of the path or the query.
  const error = requestUriError(text);
  const url = error ?? parseGoUrl(text);
  return typeof url === "string"
    ? new CelError(`URL parse error during conversion from string: ${url}`)
    : new UrlValue(url);
}

const getter = (name: string, id: string, result: Type, get: (url: GoUrl) => Value): FunctionDeclaration => ({
  name,
  overloads: [{ id, args: [urlType], result, isMember: true, implementation: (value) => get((value as UrlValue).url) }],
});

const queryMap = ({ query }: GoUrl): Value =>
  new EntriesMap([...queryParameters(query)].map(([key, values]) => [key, new ArrayList(values)] as const));

/** URLs; there from the beginning. */
export const urlsLibrary: Library = {
  name: "kubernetes.urls",
  functions: [
    {
      name: "url",
      overloads: [
        { id: "string_to_url", args: [stringType], result: urlType, implementation: (text) => toUrl(text as string) },
      ],
      ...makesText,
    },
    {
      name: "isURL",
      overloads: [
        {
          id: "is_url_string",
          args: [stringType],
          result: boolType,
          implementation: (text) => requestUriError(text as string) === undefined,
        },
      ],
    },
    getter("getScheme", "url_get_scheme", stringType, (url) => url.scheme),
    getter("getHost", "url_get_host", stringType, (url) => url.host),
    getter("getHostname", "url_get_hostname", stringType, (url) => splitHost(url.host).hostname),
    getter("getPort", "url_get_port", stringType, (url) => splitHost(url.host).port),
    getter("getEscapedPath", "url_get_escaped_path", stringType, (url) => url.path),
    getter("getQuery", "url_get_query", mapType(stringType, listType(stringType)), queryMap),
  ],
};
