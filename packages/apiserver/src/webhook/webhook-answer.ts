import { builtInTypes } from "@coxswain/api/tables";
import { genericServerResponse, type Status } from "@coxswain/apimachinery/status";
import { decodeYaml, parseYaml } from "@coxswain/apimachinery/yaml";

/** An HTTP answer as a service gave it. */
export interface RawAnswer {
  readonly code: number;
  readonly contentType: string;
  /** The Retry-After header. */
  readonly retryAfter: string;
  readonly body: string;
}

/** What an answer must be. One without kind and apiVersion counts. */
export interface ExpectedAnswer {
  readonly apiVersion: string;
  readonly kind: string;
}

/** The object in an answer of 2xx. @throws in the words of upstream's client when there is none, or another */
export function readAnswer({ code, contentType, body }: RawAnswer, expected: ExpectedAnswer | undefined): unknown {
  if (body === "") throw new Error(`0-length response with status code: ${code} and content type: ${contentType}`);
  decodeYaml(body, builtInTypes.get("io.k8s.apimachinery.pkg.apis.meta.v1.TypeMeta")); // Throws for what is no object, or has no kind that is a text.
  const { value } = parseYaml(body);
  const { kind, apiVersion } = (value ?? {}) as Partial<ExpectedAnswer>;
  if (expected && kind && apiVersion && (kind !== expected.kind || apiVersion !== expected.apiVersion))
    throw new Error(
      `converting (${shortName(apiVersion, kind)}) to (${shortName(expected.apiVersion, expected.kind)}): unknown conversion`,
    );
  return value;
}

const shortName = (apiVersion: string, kind: string): string =>
  `${apiVersion.slice(apiVersion.indexOf("/") + 1)}.${kind}`;

const maxTextCharacters = 2048;

/** The message for an answer of another code than 2xx, with the text of upstream's client. */
export function refusalText({ code, contentType, body }: RawAnswer): string {
  const status = statusIn(body);
  if (status) return status.message ?? "";
  const isText = contentType === "" || contentType.startsWith("text/");
  return genericServerResponse({
    code,
    verb: "POST",
    serverMessage: isText ? body.slice(0, maxTextCharacters).trim() : "unknown",
    unexpected: true,
  }).message;
}

function statusIn(body: string): Status | undefined {
  try {
    const value = JSON.parse(body) as Partial<Status> | null;
    return value?.kind === "Status" && value.apiVersion === "v1" ? (value as Status) : undefined;
  } catch {
    return undefined; // it is something else
  }
}

/** Whether it may go better next time: the service broke, was late or is overloaded, or sends Retry-After. */
export const isPassing = ({ code, retryAfter }: RawAnswer): boolean =>
  code === 429 || (code >= 500 && code !== 503) || Number(retryAfter) > 0;
