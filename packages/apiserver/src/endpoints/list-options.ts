import {
  type FieldSelector,
  parseFieldSelector,
  parseLabelSelector,
  type Selector,
  SelectorError,
} from "@coxswain/apimachinery/selector";
import { badRequest, invalid } from "@coxswain/apimachinery/status";
import { validateListOptions } from "@coxswain/apimachinery/validation";
import type { AnyKind } from "@coxswain/kinds";
import type { Selection } from "../cache/selection.js";
import { uninitializedField } from "../cache/uninitialized.js";
import type { RequestContext } from "../request/request-context.js";

/** The query of a list or a watch. */
export interface ListOptions {
  readonly selection: Selection;
  readonly isWatch: boolean;
  readonly resourceVersion: string;
  readonly resourceVersionMatch: string;
  readonly limit: number;
  readonly continueToken: string;
  readonly timeoutSeconds: number | undefined;
  readonly allowWatchBookmarks: boolean;
  readonly sendInitialEvents: boolean | undefined;
}

/** Throws 400 for what cannot be read and 422 for what means nothing. */
export function readListOptions(
  { query, info }: RequestContext,
  kind: AnyKind,
  /** Objects whose initializers are pending are left out, unless the query asks for them. @default false */
  hidesUninitialized = false,
): ListOptions {
  const labels = parsed(() => parseLabelSelector(query.text("labelSelector")));
  const isHiding = hidesUninitialized && query.flag("includeUninitialized") !== true;
  const asked = query.text("fieldSelector");
  const fields = parsed(() => parseFieldSelector(isHiding ? `${initializedOnly}${asked && `,${asked}`}` : asked));
  const isWatch = info.verb === "watch" || query.flag("watch") === true;
  const options = {
    isWatch,
    resourceVersion: query.text("resourceVersion"),
    resourceVersionMatch: query.text("resourceVersionMatch"),
    limit: query.integer("limit") ?? 0,
    continueToken: query.text("continue"),
    timeoutSeconds: query.integer("timeoutSeconds"),
    allowWatchBookmarks: query.flag("allowWatchBookmarks") === true,
    sendInitialEvents: query.flag("sendInitialEvents"),
  };
  const withDefault = isWatch ? withWatchDefaults(options) : options;
  const errors = validateListOptions({ watch: isWatch, continue: withDefault.continueToken, ...withDefault });
  if (errors.length > 0) throw invalid({ group: "meta.k8s.io", kind: "ListOptions" }, "", errors);
  return { selection: selectionOf(kind, info, labels, convertFields(kind, fields, isHiding)), ...withDefault };
}

const initializedOnly = `${uninitializedField.name}!=${uninitializedField.value}`;

type Facts = Omit<ListOptions, "selection">;

/** Before initial events could be asked for, a watch from nowhere sent them: it still does. */
function withWatchDefaults(options: Facts): Facts {
  const legacy =
    options.sendInitialEvents === undefined &&
    options.resourceVersionMatch === "" &&
    (options.resourceVersion === "" || options.resourceVersion === "0");
  return legacy ? { ...options, sendInitialEvents: true, resourceVersionMatch: "NotOlderThan" } : options;
}

function parsed<T>(parse: () => T): T {
  try {
    return parse();
  } catch (err) {
    if (err instanceof SelectorError) throw badRequest(err.message, { cause: err });
    throw err;
  }
}

/** A selector may only name what the kind makes selectable. */
function convertFields(kind: AnyKind, selector: FieldSelector, isHiding: boolean): FieldSelector {
  const own = kind.selectableFields;
  return selector.transform(({ field, value }) => {
    if (isHiding && field === uninitializedField.name) return { field, value };
    if (field === "metadata.name" || (kind.namespaced && field === "metadata.namespace")) return { field, value };
    const known = own?.convert?.(field) ?? (own?.names.includes(field) ? field : undefined);
    if (known !== undefined) return { field: known, value };
    if (own) throw badRequest(own.unknownText?.(field) ?? `field label not supported: ${field}`);
    if (field === "metadata.namespace") return { field, value };
    throw badRequest(`"${field}" is not a known field selector: only "metadata.name", "metadata.namespace"`);
  });
}

function selectionOf(kind: AnyKind, info: RequestContext["info"], labels: Selector, fields: FieldSelector): Selection {
  const selectedName = fields.requiresExactMatch("metadata.name");
  if (info.name !== "" && !fields.empty && selectedName !== info.name)
    throw badRequest("fieldSelector metadata.name doesn't match requested name");
  const name = info.name || (selectedName ?? "");
  const namespace = kind.namespaced ? info.namespace || (fields.requiresExactMatch("metadata.namespace") ?? "") : "";
  return {
    namespace,
    name,
    labels: labels.empty ? undefined : labels,
    fields: fields.empty ? undefined : fields,
    id: JSON.stringify([namespace, name, labels.toString(), fields.toString()]),
  };
}
