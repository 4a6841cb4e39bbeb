import { deleteOwn, getOwn, setOwn } from "../own/index.js";
import { parseIndex } from "./json-pointer.js";
import { isList, type JsonObject } from "./json-value.js";

export type Container = JsonObject | readonly unknown[];
type OwnContainer = Record<string, unknown> | unknown[];

/** Moving more list items than this in one patch is refused: 10,000 insertions at the head of a huge list take minutes. */
const maxItemsMoved = 100_000_000;

export type Read = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: string };

/**
 * A document that is being changed. A container is copied when it is first written, so the original stays as it was and
 * what is not written is shared with it. Faults are answers, in upstream's words.
 */
export class JsonDraft {
  #root: Container;
  readonly #own = new Set<object>();
  #itemsMoved = 0;

  constructor(root: Container) {
    this.#root = root;
  }

  get root(): Container {
    return this.#root;
  }

  replaceRoot(root: Container): void {
    this.#root = root;
  }

  /** The container that `parents` lead to; undefined if they lead to none. */
  find(parents: readonly string[]): Container | undefined {
    let at = this.#root;
    for (const part of parents) {
      const next = read(at, part);
      if (!next.ok || typeof next.value !== "object" || next.value === null) return undefined;
      at = next.value as Container;
    }
    return at;
  }

  /** The same, for writing. */
  own(parents: readonly string[]): OwnContainer | undefined {
    if (this.find(parents) === undefined) return undefined;
    let at = this.#ownCopy(this.#root);
    this.#root = at;
    for (const part of parents) {
      const next = read(at, part);
      const copy = this.#ownCopy((next.ok ? next.value : undefined) as Container);
      if (isList(at)) at[indexOf(part, at.length)] = copy;
      else setOwn(at, part, copy);
      at = copy;
    }
    return at;
  }

  /** From now on `value` stands in two places: what of it was ours is copied before it is written again. */
  share(value: object): void {
    this.#own.delete(value);
  }

  /** Sets a member, or inserts an item before `key` ("-": at the end). The answer is an error's text. */
  add(container: OwnContainer, key: string, value: unknown): string | undefined {
    if (!isList(container)) {
      setOwn(container, key, value);
      return undefined;
    }
    if (key === "-") {
      container.push(value);
      return undefined;
    }
    const parsed = parseIndex(key);
    if (typeof parsed === "string") return `value was not a proper array index: '${key}': ${parsed}`;
    const size = container.length + 1;
    if (parsed >= size || parsed < -size) return invalidIndex(parsed);
    return this.#splice(container, parsed < 0 ? parsed + size : parsed, 0, value);
  }

  remove(container: OwnContainer, key: string): string | undefined {
    if (!isList(container)) {
      if (getOwn(container, key) === undefined) return `Unable to remove nonexistent key: ${key}: missing value`;
      deleteOwn(container, key);
      return undefined;
    }
    const parsed = parseIndex(key);
    if (typeof parsed === "string") return parsed;
    const size = container.length;
    if (parsed >= size || parsed < -size) return invalidIndex(parsed);
    return this.#splice(container, parsed < 0 ? parsed + size : parsed, 1);
  }

  #splice(list: unknown[], at: number, remove: number, ...items: unknown[]): string | undefined {
    this.#itemsMoved += list.length - at;
    if (this.#itemsMoved > maxItemsMoved) return "the patch moves too many list items";
    list.splice(at, remove, ...items);
    return undefined;
  }

  #ownCopy(container: Container): OwnContainer {
    if (this.#own.has(container)) return container as OwnContainer;
    const copy: OwnContainer = isList(container) ? [...container] : { ...container };
    this.#own.add(copy);
    return copy;
  }
}

/** A missing member reads as undefined, which upstream takes for null; a missing item is an error. */
export function read(container: Container, key: string): Read {
  if (!isList(container)) return { ok: true, value: getOwn<unknown>(container, key) };
  const parsed = parseIndex(key);
  if (typeof parsed === "string") return { ok: false, error: parsed };
  const size = container.length;
  if (parsed >= size || parsed < -size) return { ok: false, error: invalidIndex(parsed) };
  return { ok: true, value: container[parsed < 0 ? parsed + size : parsed] };
}

/** Replaces what `read` finds: the caller has read it, so the key is good. */
export function overwrite(container: OwnContainer, key: string, value: unknown): void {
  if (isList(container)) container[indexOf(key, container.length)] = value;
  else setOwn(container, key, value);
}

function indexOf(key: string, size: number): number {
  const parsed = Number(parseIndex(key));
  return parsed < 0 ? parsed + size : parsed;
}

const invalidIndex = (index: number): string => `Unable to access invalid index: ${index}: invalid index referenced`;
