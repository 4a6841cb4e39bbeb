import type { ExternalKeys } from "./external-keys.js";

const longestId = 1024;
/** Those that this server would sign with itself. */
const algorithms = ["RS256", "ES256", "ES384", "ES512"];

/** @throws when a signer's header is not one that tokens of service accounts may have; upstream's words and order of checks */
export async function checkSignedHeader(header: string, keys: Pick<ExternalKeys, "isExcluded">): Promise<void> {
  const refuse = (why: string): never => {
    throw new Error(`while validating header: ${why}`);
  };
  const { alg = "", kid = "", typ = "", ...more } = parse(header, refuse);
  const [unknown] = Object.keys(more);
  if (unknown !== undefined) refuse(`while parsing header JSON: json: unknown field ${JSON.stringify(unknown)}`);
  if (typ !== "JWT") refuse("bad type");
  if (typeof kid !== "string" || kid === "") return refuse("key id missing");
  if (Buffer.byteLength(kid) > longestId) refuse("key id longer than 1 kb");
  if (!algorithms.includes(alg as string)) refuse(`bad signing algorithm ${JSON.stringify(alg)}`);
  // Such a key only serves to know tokens that were issued before.
  if (await keys.isExcluded(kid)) refuse(`key used for signing JWT (kid: ${kid}) is excluded from OIDC discovery docs`);
}

function parse(header: string, refuse: (why: string) => never): Readonly<Record<string, unknown>> {
  if (!/^[\w-]*$/.test(header) || header.length % 4 === 1) refuse("while unwrapping header: illegal base64 data");
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(header, "base64url").toString());
  } catch (err) {
    refuse(`while parsing header JSON: ${(err as Error).message}`);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    refuse("while parsing header JSON: it is no object");
  return value as Readonly<Record<string, unknown>>;
}
