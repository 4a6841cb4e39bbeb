import { runAtOnce, type Steps } from "@coxswain/runtime/steps";
import { equalJson } from "../json/equal.js";
import { getOwn } from "../own/index.js";
import { requestEntityTooLarge } from "../status/index.js";
import { JsonDraft, overwrite, read } from "./json-draft.js";
import { readOperations } from "./json-patch-operations.js";
import { parsePointer } from "./json-pointer.js";
import { jsonSize } from "./json-size.js";
import { isList, isObject, type JsonObject } from "./json-value.js";
import { checkDepth } from "./patch-depth.js";
import { patchDoesNotApply } from "./patch-errors.js";

/** The most operations in one patch. */
export const maxJsonPatchOperations = 10_000;
/** The most bytes that the copy operations of one patch may add, measured as JSON. */
export const maxJsonPatchCopyBytes = 3 * 1024 * 1024;

/** An insertion at the front moves a whole list: 100 of them into one of 10,000 items are a million moves. */
const operationsPerStep = 100;
const stepMicros = 1_000;

/**
 * RFC 6902 as upstream's library applies it (gopkg.in/evanphx/json-patch.v4/patch.go, Apply). Its departures are kept, since clients lean on them:
 * - `replace` of a member that is not there adds it; `copy` of one that is not there adds null; `add` without a value adds null;
 * - negative indices count from the end;
 * - a member that is not there passes a `test` for null.
 * One is not kept: upstream's `test` compares texts, so that "a<b" fails where Go escapes it; here it compares values.
 *
 * Guarantees: inputs are not changed, and what the patch does not touch is shared with `current`. All or nothing.
 * Throws 400 for a malformed patch, 413 for too many operations, 422 when an operation does not apply.
 */
export const applyJsonPatch = (current: JsonObject, patch: unknown): unknown =>
  runAtOnce(applyJsonPatchInSteps(current, patch));

/** The same between whose steps others may run. */
export function* applyJsonPatchInSteps(current: JsonObject, patch: unknown): Steps<unknown> {
  const operations = readOperations(patch);
  if (operations.length > maxJsonPatchOperations) {
    throw requestEntityTooLarge(
      `The allowed maximum operations in a JSON patch is ${maxJsonPatchOperations}, got ${operations.length}`,
    );
  }
  checkDepth(patch);
  const run = new JsonPatchRun(current);
  for (const [at, operation] of operations.entries()) {
    const failure = run.apply(operation);
    if (failure !== undefined) throw patchDoesNotApply(failure);
    if (at % operationsPerStep === operationsPerStep - 1) yield stepMicros;
  }
  if (run.mayNest) checkDepth(run.draft.root);
  return run.draft.root;
}

/** Each operation answers undefined, or why it does not apply. */
class JsonPatchRun {
  readonly draft: JsonDraft;
  /** Copies and moves may nest deeper than any value in the patch. */
  mayNest = false;
  #copied = 0;

  constructor(current: JsonObject) {
    this.draft = new JsonDraft(current);
  }

  apply(operation: JsonObject): string | undefined {
    const kind = getOwn<unknown>(operation, "op");
    switch (kind) {
      case "add":
        return this.#add(operation);
      case "remove":
        return this.#remove(operation);
      case "replace":
        return this.#replace(operation);
      case "move":
        return this.#move(operation);
      case "test":
        return this.#test(operation);
      case "copy":
        return this.#copy(operation);
      default:
        return `Unexpected kind: ${typeof kind === "string" ? kind : "unknown"}`;
    }
  }

  #add(operation: JsonObject): string | undefined {
    const path = pathOf(operation);
    if (path === undefined) return "add operation failed to decode path: missing value";
    const pointer = parsePointer(path);
    const container = pointer && this.draft.own(pointer.parents);
    if (!pointer || !container) return `add operation does not apply: doc is missing path: "${path}": missing value`;
    return within(`error in add for path: '${path}'`, this.draft.add(container, pointer.key, valueOf(operation)));
  }

  #remove(operation: JsonObject): string | undefined {
    const path = pathOf(operation);
    if (path === undefined) return "remove operation failed to decode path: missing value";
    const pointer = parsePointer(path);
    const container = pointer && this.draft.own(pointer.parents);
    if (!pointer || !container) return `remove operation does not apply: doc is missing path: "${path}": missing value`;
    return within(`error in remove for path: '${path}'`, this.draft.remove(container, pointer.key));
  }

  #replace(operation: JsonObject): string | undefined {
    const path = pathOf(operation);
    if (path === undefined) return `replace operation failed to decode path: ${missingPath}`;
    const value = valueOf(operation);
    if (path === "") {
      if (!isObject(value) && !isList(value)) return "replace operation value must be object or array: %!w(<nil>)";
      this.draft.replaceRoot(value);
      return undefined;
    }
    const pointer = parsePointer(path);
    const container = pointer && this.draft.own(pointer.parents);
    if (!pointer || !container) return `replace operation does not apply: doc is missing path: ${path}: missing value`;
    if (!read(container, pointer.key).ok)
      return `replace operation does not apply: doc is missing key: ${path}: missing value`;
    overwrite(container, pointer.key, value);
    return undefined;
  }

  #move(operation: JsonObject): string | undefined {
    const from = fromOf(operation);
    if (from === undefined) return `move operation failed to decode from: ${missingFrom}`;
    const source = parsePointer(from);
    const holder = source && this.draft.own(source.parents);
    if (!source || !holder) return `move operation does not apply: doc is missing from path: ${from}: missing value`;
    const found = read(holder, source.key);
    const failure = found.ok ? this.draft.remove(holder, source.key) : found.error;
    if (failure !== undefined || !found.ok) return `error in move for path: '${source.key}': ${failure}`;
    const path = pathOf(operation);
    if (path === undefined) return `move operation failed to decode path: ${missingPath}`;
    const pointer = parsePointer(path);
    const container = pointer && this.draft.own(pointer.parents);
    if (!pointer || !container)
      return `move operation does not apply: doc is missing destination path: ${path}: missing value`;
    this.mayNest = true;
    return within(`error in move for path: '${path}'`, this.draft.add(container, pointer.key, found.value));
  }

  #copy(operation: JsonObject): string | undefined {
    const from = fromOf(operation);
    if (from === undefined) return `copy operation failed to decode from: ${missingFrom}`;
    const source = parsePointer(from);
    const holder = source && this.draft.find(source.parents);
    if (!source || !holder) return `copy operation does not apply: doc is missing from path: ${from}: missing value`;
    const found = read(holder, source.key);
    if (!found.ok) return `error in copy for from: '${from}': ${found.error}`;
    const path = pathOf(operation);
    if (path === undefined) return "copy operation failed to decode path: missing value";
    const pointer = parsePointer(path);
    const container = pointer && this.draft.own(pointer.parents);
    if (!pointer || !container)
      return `copy operation does not apply: doc is missing destination path: ${path}: missing value`;
    const value = found.value ?? null;
    const size = found.value === undefined ? 0 : jsonSize(value, (part) => this.draft.share(part));
    if (size === undefined) return "exceeded max depth";
    this.#copied += size;
    if (this.#copied > maxJsonPatchCopyBytes) {
      return `Unable to complete the copy, the accumulated size increase of copy is ${this.#copied}, exceeding the limit ${maxJsonPatchCopyBytes}`;
    }
    this.mayNest = true;
    return within("error while adding value during copy", this.draft.add(container, pointer.key, value));
  }

  #test(operation: JsonObject): string | undefined {
    const path = pathOf(operation);
    if (path === undefined) return `test operation failed to decode path: ${missingPath}`;
    const wanted = valueOf(operation);
    if (path === "") return equalJson(this.draft.root, wanted) ? undefined : "testing value  failed: test failed";
    const pointer = parsePointer(path);
    const container = pointer && this.draft.find(pointer.parents);
    if (!pointer || !container) return `test operation does not apply: is missing path: ${path}: missing value`;
    const found = read(container, pointer.key);
    if (!found.ok) return `error in test for path: '${path}': ${found.error}`;
    return equalJson(found.value ?? null, wanted) ? undefined : `testing value ${path} failed: test failed`;
  }
}

const missingPath = "operation missing path field: missing value";
const missingFrom = "operation, missing from field: missing value";

const pathOf = (operation: JsonObject): string | undefined => textOf(getOwn<unknown>(operation, "path"));
const fromOf = (operation: JsonObject): string | undefined => textOf(getOwn<unknown>(operation, "from"));
const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);
const valueOf = (operation: JsonObject): unknown => getOwn<unknown>(operation, "value") ?? null;
const within = (context: string, failure: string | undefined): string | undefined =>
  failure === undefined ? undefined : `${context}: ${failure}`;
