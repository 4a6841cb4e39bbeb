import { ownEntries } from "@coxswain/apimachinery/own";
import type { RegistryAuth } from "../runtime/container-runtime.js";
import { repositoryOf } from "./verification-policy.js";

/** Credentials of one place: `registry.example.com[:port][/path]`, whose parts may be patterns. */
export interface RegistryCredential {
  readonly place: string;
  readonly auth: RegistryAuth;
}

/** Of Docker Hub, by its old names. */
const dockerHub = "index.docker.io";

/** Pure: the credentials of a secret of type kubernetes.io/dockerconfigjson or dockercfg. What cannot be read counts for nothing. */
export function parseDockerConfig(text: string, type: "dockerconfigjson" | "dockercfg"): RegistryCredential[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return [];
  }
  const entries = type === "dockercfg" ? value : (value as { auths?: unknown } | null)?.auths;
  if (typeof entries !== "object" || entries === null) return [];
  return ownEntries(entries as Record<string, unknown>).flatMap(([key, entry]) => {
    const auth = authOf(entry);
    return auth ? [{ place: placeOf(key), auth }] : [];
  });
}

/** Without scheme, and without the paths of Docker's first registries. */
function placeOf(key: string): string {
  const place = key.replace(/^https?:\/\//, "");
  const [host = "", ...path] = place.split("/");
  const rest = path.filter((part) => part !== "").join("/");
  return ["v1", "v2", ""].includes(rest) ? host : `${host}/${rest}`;
}

function authOf(entry: unknown): RegistryAuth | undefined {
  if (typeof entry !== "object" || entry === null) return undefined;
  const { username, password, auth, identitytoken } = entry as Record<string, unknown>;
  const text = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);
  const decoded = text(auth) === undefined ? "" : Buffer.from(auth as string, "base64").toString("utf8");
  const colon = decoded.indexOf(":");
  const user = colon > 0 ? decoded.slice(0, colon) : text(username);
  const secret = colon > 0 ? decoded.slice(colon + 1) : text(password);
  const token = text(identitytoken);
  if (user === undefined && token === undefined) return undefined;
  return {
    ...(user !== undefined && { username: user }),
    ...(secret !== undefined && { password: secret }),
    ...(token !== undefined && { identityToken: token }),
  };
}

/** Pure: what is tried for an image, the most specific first. Upstream's `pkg/credentialprovider/keyring.go`, `Lookup`. */
export const matchCredentials = (image: string, credentials: readonly RegistryCredential[]): RegistryAuth[] =>
  matchPlaces(image, credentials).map(({ auth }) => auth);

/** The same, with all that is known of each. */
export function matchPlaces<T extends RegistryCredential>(image: string, credentials: readonly T[]): T[] {
  const { host, path } = splitImage(image);
  return credentials
    .filter(({ place }) => isMatch(place, host, path))
    .toSorted((a, b) => (a.place < b.place ? 1 : a.place > b.place ? -1 : 0));
}

/** An image whose first part is no host is one of Docker Hub. */
function splitImage(image: string): { readonly host: string; readonly path: string } {
  const slash = image.indexOf("/");
  const first = slash < 0 ? "" : image.slice(0, slash);
  const isHost = first.includes(".") || first.includes(":") || first === "localhost";
  if (first === "docker.io") return { host: dockerHub, path: image.slice(slash + 1) };
  return isHost ? { host: first, path: image.slice(slash + 1) } : { host: dockerHub, path: image };
}

/** Whether an image is of a place, whose host's parts may be patterns. */
export function isPlaceOf(place: string, image: string): boolean {
  const { host, path } = splitImage(image);
  return isMatch(place, host, path);
}

/** The registry of an image, with its port. */
export const registryOf = (image: string): string => image.split("/")[0] ?? "";

/** An image without tag and digest, with its registry: `busybox:1` is `docker.io/library/busybox`. */
export function repositoryNameOf(image: string): string {
  const { host, path } = splitImage(repositoryOf(image));
  if (host !== dockerHub) return `${host}/${path}`;
  return `docker.io/${path.includes("/") ? path : `library/${path}`}`;
}

function isMatch(place: string, host: string, path: string): boolean {
  const slash = place.indexOf("/");
  const pattern = slash < 0 ? place : place.slice(0, slash);
  const prefix = slash < 0 ? "" : place.slice(slash + 1);
  const isDockerHub = host === dockerHub && (pattern === "docker.io" || pattern === "registry-1.docker.io");
  return (isDockerHub || matchesHost(pattern, host)) && path.startsWith(prefix);
}

/** Part by part; a star stands for characters of one part. */
function matchesHost(pattern: string, host: string): boolean {
  const [patternName = "", patternPort] = pattern.split(":");
  const [name = "", port] = host.split(":");
  if (patternPort !== port) return false;
  const [parts, names] = [patternName.split("."), name.split(".")];
  return parts.length === names.length && parts.every((part, i) => matchesPart(part, names[i] ?? ""));
}

function matchesPart(pattern: string, text: string): boolean {
  const [first = "", ...rest] = pattern.split("*");
  if (rest.length === 0) return pattern === text;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const piece of rest.slice(0, -1)) {
    const found = text.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  const last = rest.at(-1) ?? "";
  return text.length - last.length >= at && text.endsWith(last);
}
