import { invalid } from "@coxswain/apimachinery/status";
import {
  fieldManagerMaxBytes,
  utf8Length,
  validatePatchOptions,
  validateWriteOptions,
} from "@coxswain/apimachinery/validation";
import type { DeleteOptions } from "../objects/plan-deletion.js";
import type { RequestContext } from "../request/request-context.js";

export type FieldValidation = "Ignore" | "Warn" | "Strict";

/** The query of a create, an update or a patch. */
export interface WriteOptions {
  readonly kind: WriteOptionsKind | "DeleteOptions";
  readonly dryRun: boolean;
  readonly fieldManager: string;
  readonly fieldValidation: FieldValidation;
  /** Whether the client set it, or it is the default. */
  readonly hasFieldValidation?: boolean;
  readonly force: boolean;
  /** Members of DeleteOptions beside dryRun. */
  readonly more?: Readonly<Record<string, unknown>>;
}

export type WriteOptionsKind = "CreateOptions" | "UpdateOptions" | "PatchOptions";

/** Throws 422 for options that mean nothing. `apply`: a server-side apply, which needs a manager and may be forced. */
export function readWriteOptions({ query }: RequestContext, kind: WriteOptionsKind, apply = false): WriteOptions {
  const options = {
    dryRun: query.all("dryRun"),
    fieldManager: query.text("fieldManager"),
    fieldValidation: query.text("fieldValidation"),
    force: query.flag("force"),
  };
  const errors = kind === "PatchOptions" ? validatePatchOptions(options, { apply }) : validateWriteOptions(options);
  if (errors.length > 0) throw invalid({ group: "meta.k8s.io", kind }, "", errors);
  return {
    kind,
    dryRun: options.dryRun.length > 0,
    fieldManager: options.fieldManager,
    fieldValidation: (options.fieldValidation || "Warn") as FieldValidation,
    hasFieldValidation: options.fieldValidation !== "",
    force: options.force ?? false,
  };
}

/** What a deletion has of the options of a write. */
export function deletionWrite({ dryRun, ...more }: DeleteOptions): WriteOptions {
  const isDryRun = (dryRun?.length ?? 0) > 0;
  return { kind: "DeleteOptions", dryRun: isDryRun, fieldManager: "", fieldValidation: "Ignore", force: false, more };
}

/** As an object of meta.k8s.io/v1. */
export const optionsObject = ({
  kind,
  dryRun,
  fieldManager,
  fieldValidation,
  hasFieldValidation = false,
  force,
  more,
}: WriteOptions): Readonly<Record<string, unknown>> => ({
  ...head(kind),
  ...(dryRun && { dryRun: ["All"] }),
  ...(kind !== "DeleteOptions" && fieldManager !== "" && { fieldManager }),
  ...(hasFieldValidation && { fieldValidation }),
  ...(force && { force }),
  ...more,
  ...head(kind), // A body may name another version of them.
});

const head = (kind: WriteOptions["kind"]) => ({ kind, apiVersion: "meta.k8s.io/v1" });

/** A client that names no manager is known by its program's name. */
export function managerOf(options: WriteOptions, { request }: RequestContext): string {
  if (options.fieldManager !== "") return options.fieldManager;
  const agent = request.header("user-agent") ?? "";
  const slash = agent.indexOf("/");
  const program = slash < 0 ? agent : agent.slice(0, slash);
  if (ordinaryName.test(program)) return program;
  let manager = "";
  for (const char of program) {
    if (!isPrintable(char)) continue;
    if (utf8Length(manager) + utf8Length(char) > fieldManagerMaxBytes) break;
    manager += char;
  }
  return manager;
}

/** ASCII, printable, and within the limit: nearly every program's name. */
const ordinaryName = /^[\x20-\x7e]{0,128}$/;

/** Go's unicode.IsPrint: letters, marks, numbers, punctuation, symbols and the ASCII space. */
const isPrintable = (char: string): boolean => /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u.test(char);
