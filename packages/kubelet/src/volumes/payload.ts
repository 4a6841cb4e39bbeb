import type { KeyToPath } from "@coxswain/api/core/v1";
import type { DeepReadonly } from "@coxswain/api/types";

/** A file that the kubelet writes into a volume. */
export interface PayloadFile {
  readonly content: Uint8Array;
  readonly mode: number;
  /** @default the kubelet's own user */
  readonly owner?: number;
}

/** Files by their path in the volume. */
export type Payload = ReadonlyMap<string, PayloadFile>;

/** A payload cannot be made of what there is, in words for users. */
export class PayloadError extends Error {
  override readonly name = "PayloadError";
}

export interface KeyedSource {
  readonly kind: "configmap" | "secret";
  /** The object's keys and values. */
  readonly content: ReadonlyMap<string, Uint8Array>;
  readonly items: readonly DeepReadonly<KeyToPath>[];
  readonly isOptional: boolean;
  readonly defaultMode: number;
}

/**
 * Pure: files of a config map or secret: all its keys, or those that `items` names. As `MakePayload` of pkg/volume/configmap and
 * pkg/volume/secret. @throws PayloadError
 */
export function keyedPayload({ kind, content, items, isOptional, defaultMode }: KeyedSource): Payload {
  if (items.length === 0)
    return new Map([...content].map(([key, bytes]) => [key, { content: bytes, mode: defaultMode }]));
  const files = new Map<string, PayloadFile>();
  for (const { key, path, mode = defaultMode } of items) {
    const bytes = content.get(key);
    if (bytes) files.set(path, { content: bytes, mode });
    else if (!isOptional) throw new PayloadError(missingKey[kind] + key);
  }
  return files;
}

const missingKey = {
  configmap: "configmap references non-existent config key: ",
  secret: "references non-existent secret key: ",
} as const;

/** Limits of Linux' file systems, in bytes. */
const maxNameLength = 255;
const maxPathLength = 4096;

/**
 * Pure: the payload under clean paths. @throws PayloadError for a path that could leave the volume or collide with the writer's own
 * names, as `validatePath` of pkg/volume/util/atomic_writer.go
 */
export function checkPayload(payload: Payload): Payload {
  const checked = new Map<string, PayloadFile>();
  for (const [path, file] of payload) {
    checkPath(path);
    const clean = path
      .split("/")
      .filter((name) => name !== "" && name !== ".")
      .join("/");
    if (clean === "") throw new PayloadError(`invalid path: must not be empty: "${path}"`);
    checked.set(clean, file);
  }
  return checked;
}

function checkPath(path: string): void {
  if (path === "") throw new PayloadError('invalid path: must not be empty: ""');
  if (path.startsWith("/")) throw new PayloadError(`invalid path: must be relative path: ${path}`);
  if (Buffer.byteLength(path) > maxPathLength)
    throw new PayloadError(`invalid path: must be less than or equal to ${maxPathLength} characters`);
  if (path.includes("\0")) throw new PayloadError("invalid path: must not contain a zero byte");
  const names = path.split("/");
  for (const name of names) {
    if (name === "..") throw new PayloadError(`invalid path: must not contain '..': ${path}`);
    if (Buffer.byteLength(name) > maxNameLength)
      throw new PayloadError(`invalid path: filenames must be less than or equal to ${maxNameLength} characters`);
  }
  const first = names.find((name) => name !== "" && name !== ".") ?? "";
  if (first.startsWith("..")) throw new PayloadError(`invalid path: must not start with '..': ${path}`);
}

/** Pure: several errors as one, in the form of upstream's `utilerrors.NewAggregate`. */
export function aggregate(messages: readonly string[]): string {
  const distinct = [...new Set(messages)];
  return distinct.length === 1 ? (distinct[0] ?? "") : `[${distinct.join(", ")}]`;
}
