import type { DeepReadonly } from "@coxswain/api";
import type { CertificateSigningRequestCondition } from "@coxswain/api/certificates/v1";
import { append } from "@coxswain/apimachinery/append";
import {
  duplicate,
  type FieldError,
  fieldPath,
  forbidden,
  invalid,
  namedText,
  notSupported,
  quoteGo,
  required,
} from "@coxswain/apimachinery/field";
import { equalJson } from "@coxswain/apimachinery/json";
import { textOfBase64 } from "../../checks/base64-text.js";
import { checkRequiredOneOf } from "../../checks/field-errors.js";
import { checkObjectMeta, checkObjectMetaUpdate } from "../../checks/object-meta.js";
import { firstPemBlock } from "../../checks/pem.js";
import { indentedJson } from "../../internal-form/go-text.js";
import { unifiedDiff } from "../../internal-form/unified-diff.js";
import { checkSignerName } from "../../pod-spec/volumes/signer-name.js";
import type { StoredCertificateSigningRequest } from "./stored.js";
import { knownUsages } from "./usages.js";

type Request = DeepReadonly<StoredCertificateSigningRequest>;
type Condition = DeepReadonly<CertificateSigningRequestCondition>;

const specPath = fieldPath("spec");
const conditionsPath = fieldPath("status", "conditions");
const certificatePath = fieldPath("status", "certificate");
/** Set once and for all, and only ever to True. */
const finalTypes = ["Approved", "Denied", "Failed"];
const legacySigner = "kubernetes.io/legacy-unknown";
const tenMinutes = 600;

export const checkCertificateSigningRequest = (request: Request): FieldError[] => checkAlways(request, undefined);

/** What a stored request broke already it may go on breaking. */
function checkAlways(request: Request, old: Request | undefined): FieldError[] {
  const { metadata, spec, status } = request;
  const errors = [
    ...checkObjectMeta(metadata, { namespaced: false, checkName: () => [] }),
    ...checkRequest(spec.request),
  ];
  append(errors, checkUsages(spec.usages ?? [], old?.spec.usages ?? []));
  const signerPath = specPath.child("signerName");
  if (spec.signerName === legacySigner && old?.spec.signerName !== legacySigner)
    errors.push(invalid(signerPath, spec.signerName, "the legacy signerName is not allowed via this API version"));
  else append(errors, checkSignerName(spec.signerName, signerPath));
  const { expirationSeconds: seconds } = spec;
  if (seconds !== undefined && seconds < tenMinutes)
    errors.push(
      invalid(
        specPath.child("expirationSeconds"),
        seconds,
        "may not specify a duration less than 600 seconds (10 minutes)",
      ),
    );
  append(errors, checkConditions(status.conditions ?? [], old?.status.conditions ?? []));
  const isKept =
    old && (old.status.certificate === status.certificate || certificateProblem(old.status.certificate) !== undefined);
  const problem = isKept ? undefined : certificateProblem(status.certificate);
  return problem === undefined ? errors : [...errors, invalid(certificatePath, "<certificate data>", problem)];
}

/** Whether it is signed by the key in it takes X.509, which the server has. */
function checkRequest(request: string | null | undefined): FieldError[] {
  const isRequest = request && firstPemBlock(textOfBase64(request))?.type === "CERTIFICATE REQUEST";
  return isRequest
    ? []
    : [
        invalid(
          specPath.child("request"),
          typeof request === "string" ? namedText(request) : null,
          "PEM block type must be CERTIFICATE REQUEST",
        ),
      ];
}

const repeats = (list: readonly string[]): boolean => new Set(list).size < list.length;

function checkUsages(usages: readonly string[], old: readonly string[]): FieldError[] {
  const path = specPath.child("usages");
  const errors = usages.length === 0 ? [required(path)] : [];
  const seen = new Set<string>();
  if (old.every((usage) => knownUsages.includes(usage))) {
    append(
      errors,
      usages.flatMap((usage, at) =>
        knownUsages.includes(usage) ? [] : [notSupported(path.index(at), namedText(usage), knownUsages)],
      ),
    );
  }
  if (!repeats(old))
    append(
      errors,
      usages.flatMap((usage, at) =>
        seen.size === seen.add(usage).size ? [duplicate(path.index(at), namedText(usage))] : [],
      ),
    );
  return errors;
}

function checkConditions(conditions: readonly Condition[], old: readonly Condition[]): FieldError[] {
  const known = new Set(old.map(({ type }) => type));
  const before = new Set<string>();
  const mayContradict = known.has("Approved") && known.has("Denied");
  const mayRepeat = repeats(old.map(({ type }) => type));
  const errors: FieldError[] = [];
  for (const [at, { type, status }] of conditions.entries()) {
    const path = conditionsPath.index(at);
    if (type === "" && !known.has("")) errors.push(required(path.child("type")));
    append(
      errors,
      checkRequiredOneOf(
        status,
        finalTypes.includes(type) ? ["True"] : ["False", "True", "Unknown"],
        path.child("status"),
      ),
    );
    const contradicts = (type === "Approved" && before.has("Denied")) || (type === "Denied" && before.has("Approved"));
    if (contradicts && !mayContradict)
      errors.push(invalid(conditionsPath, namedText(type), "Approved and Denied conditions are mutually exclusive"));
    if (before.has(type) && !mayRepeat) errors.push(duplicate(path.child("type"), namedText(type)));
    before.add(type);
  }
  return errors;
}

function certificateProblem(certificate: string | null | undefined): string | undefined {
  if (!certificate) return undefined;
  let rest = textOfBase64(certificate);
  let blocks = 0;
  for (let block = firstPemBlock(rest); block; block = firstPemBlock(rest)) {
    if (block.type !== "CERTIFICATE") return `only CERTIFICATE PEM blocks are allowed, found ${quoteGo(block.type)}`;
    if (block.hasHeaders) return "no PEM block headers are permitted";
    blocks++;
    rest = block.rest;
  }
  return blocks === 0 ? "must contain at least one CERTIFICATE PEM block" : undefined;
}

/** What this way in may write. */
interface Rights {
  readonly mayApprove?: boolean;
  readonly mayIssue?: boolean;
}

export function checkCertificateSigningRequestUpdate(
  next: Request,
  old: Request,
  { mayApprove, mayIssue }: Rights,
): FieldError[] {
  const errors = checkAlways(next, old);
  for (const type of finalTypes)
    if (ofType(next, type).length < ofType(old, type).length)
      errors.push(forbidden(conditionsPath, `updates may not remove a condition of type "${type}"`));
  if (!mayApprove)
    append(
      errors,
      ["Approved", "Denied"].flatMap((type) => checkStays(type, ofType(next, type), ofType(old, type))),
    );
  if ((next.status.certificate ?? "") !== (old.status.certificate ?? "")) {
    if (!mayIssue) errors.push(forbidden(certificatePath, "updates may not set certificate content"));
    else if (old.status.certificate)
      errors.push(forbidden(certificatePath, "updates may not modify existing certificate content"));
  }
  return [...errors, ...checkObjectMetaUpdate(next.metadata, old.metadata)];
}

const ofType = ({ status }: Request, type: string): Condition[] =>
  (status.conditions ?? []).filter((condition) => condition.type === type);

function checkStays(type: string, next: readonly Condition[], old: readonly Condition[]): FieldError[] {
  if (next.length > old.length) return [forbidden(conditionsPath, `updates may not add a condition of type "${type}"`)];
  if (next.length < old.length || equalJson(next, old)) return [];
  return [
    forbidden(
      conditionsPath,
      `updates may not modify a condition of type "${type}"\n${unifiedDiff(indentedJson(old.map(form)), indentedJson(next.map(form)))}`,
    ),
  ];
}

/** As Go prints its own form. */
const form = ({ type, status, reason = "", message = "", lastUpdateTime, lastTransitionTime }: Condition): unknown => ({
  Type: type,
  Status: status,
  Reason: reason,
  Message: message,
  LastUpdateTime: lastUpdateTime ?? null,
  LastTransitionTime: lastTransitionTime ?? null,
});
