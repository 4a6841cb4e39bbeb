import type { DeepReadonly } from "@coxswain/api";
import type {
  LimitedPriorityLevelConfiguration,
  LimitResponse,
  PriorityLevelConfigurationSpec,
  QueuingConfiguration,
} from "@coxswain/api/flowcontrol/v1";
import {
  type FieldError,
  type FieldPath,
  fieldPath,
  forbidden,
  invalid,
  namedText,
  required,
} from "@coxswain/apimachinery/field";
import { equalJson } from "@coxswain/apimachinery/json";
import { getOwn } from "@coxswain/apimachinery/own";
import { rangeMessage } from "@coxswain/apimachinery/validation";
import { checkRequiredOneOf } from "../../checks/field-errors.js";
import { checkObjectMeta } from "../../checks/object-meta.js";
import { checkConditionTypes } from "../conditions.js";
import type { StoredPriorityLevelConfiguration } from "./stored.js";

type Level = DeepReadonly<StoredPriorityLevelConfiguration>;
type Spec = DeepReadonly<PriorityLevelConfigurationSpec>;

const specPath = fieldPath("spec");
const zeroShares = "flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares";
const mostQueues = 10_000_000;
/** Of the hash that deals a flow its queues. */
const hashBits = 60;

/** What catches the requests that no other level wants. */
const catchAll: Spec = {
  type: "Limited",
  limited: { nominalConcurrencyShares: 5, lendablePercent: 0, limitResponse: { type: "Reject" } },
};

export function checkPriorityLevelConfiguration({ metadata, spec, status }: Level): FieldError[] {
  const { name = "" } = metadata;
  const errors = checkObjectMeta(metadata, { namespaced: false });
  if (getOwn(metadata.annotations, zeroShares) !== undefined)
    errors.push(forbidden(fieldPath("metadata", "annotations"), `annotation '${zeroShares}' is forbidden`));
  return [
    ...errors,
    ...checkSpec(name, spec),
    ...checkMandatory(name, spec),
    ...checkConditionTypes(status.conditions ?? []),
  ];
}

function checkMandatory(name: string, spec: Spec): FieldError[] {
  if (name === "exempt" && (spec.type !== "Exempt" || spec.limited))
    return [
      invalid(specPath, printed(spec), "spec of 'exempt' except the 'spec.exempt' field must equal the fixed value"),
    ];
  return name === "catch-all" && !equalJson(spec, catchAll)
    ? [invalid(specPath, printed(spec), "spec of 'catch-all' must equal the fixed value")]
    : [];
}

function checkSpec(name: string, { type, limited, exempt }: Spec): FieldError[] {
  const errors =
    (name === "exempt") === (type === "Exempt")
      ? []
      : [invalid(specPath.child("type"), namedText(type), "must be 'Exempt' if and only if `name` is 'exempt'")];
  if (type === "Exempt") {
    if (limited) errors.push(forbidden(specPath.child("limited"), "must be nil if the type is not Limited"));
    return exempt ? [...errors, ...checkShares(exempt, specPath.child("exempt"))] : errors;
  }
  if (type !== "Limited")
    return [...errors, ...checkRequiredOneOf(type, ["Exempt", "Limited"], specPath.child("type"))];
  if (exempt) errors.push(forbidden(specPath.child("exempt"), "must be nil if the type is Limited"));
  return [
    ...errors,
    ...(limited
      ? checkLimited(limited, specPath.child("limited"))
      : [required(specPath.child("limited"), "must not be empty when type is Limited")]),
  ];
}

interface Shares {
  readonly nominalConcurrencyShares?: number;
  readonly lendablePercent?: number;
}

const checkShare = ({ nominalConcurrencyShares: shares = 0 }: Shares, path: FieldPath): FieldError[] =>
  shares < 0 ? [invalid(path.child("nominalConcurrencyShares"), shares, "must be a non-negative integer")] : [];

const checkLendable = ({ lendablePercent: percent = 0 }: Shares, path: FieldPath): FieldError[] =>
  percent < 0 || percent > 100 ? [invalid(path.child("lendablePercent"), percent, rangeMessage(0, 100))] : [];

const checkShares = (shares: Shares, path: FieldPath): FieldError[] => [
  ...checkShare(shares, path),
  ...checkLendable(shares, path),
];

function checkLimited(limited: DeepReadonly<LimitedPriorityLevelConfiguration>, path: FieldPath): FieldError[] {
  const { limitResponse, borrowingLimitPercent: borrowed = 0 } = limited;
  return [
    ...checkShare(limited, path),
    ...checkResponse(limitResponse ?? { type: "" }, path.child("limitResponse")),
    ...checkLendable(limited, path),
    ...(borrowed < 0
      ? [invalid(path.child("borrowingLimitPercent"), borrowed, "if specified, must be a non-negative integer")]
      : []),
  ];
}

function checkResponse(
  { type, queuing }: DeepReadonly<LimitResponse> | { readonly type: ""; readonly queuing?: undefined },
  path: FieldPath,
): FieldError[] {
  const at = path.child("queuing");
  switch (type) {
    case "Reject":
      return queuing ? [forbidden(at, "must be nil if limited.limitResponse.type is not Limited")] : [];
    case "Queue":
      return queuing
        ? checkQueuing(queuing, at)
        : [required(at, "must not be empty if limited.limitResponse.type is Limited")];
    default:
      return [...checkRequiredOneOf(type, ["Queue", "Reject"], path.child("type"))];
  }
}

function checkQueuing(
  { queueLengthLimit = 0, queues = 0, handSize = 0 }: DeepReadonly<QueuingConfiguration>,
  path: FieldPath,
): FieldError[] {
  const errors =
    queueLengthLimit <= 0 ? [invalid(path.child("queueLengthLimit"), queueLengthLimit, "must be positive")] : [];
  if (queues <= 0) errors.push(invalid(path.child("queues"), queues, "must be positive"));
  else if (queues > mostQueues)
    errors.push(invalid(path.child("queues"), queues, `must not be greater than ${mostQueues}`));
  const at = path.child("handSize");
  if (handSize <= 0) errors.push(invalid(at, handSize, "must be positive"));
  else if (handSize > queues) errors.push(invalid(at, handSize, `should not be greater than queues (${queues})`));
  else if (Math.ceil(Math.log2(queues) * handSize) > hashBits)
    errors.push(
      invalid(
        at,
        handSize,
        `required entropy bits of deckSize ${queues} and handSize ${handSize} should not be greater than ${hashBits}`,
      ),
    );
  return errors;
}

/** As Go prints its own form. */
const printed = ({ type, limited, exempt }: Spec): unknown => ({
  Type: type,
  Limited: limited
    ? {
        NominalConcurrencyShares: limited.nominalConcurrencyShares ?? 0,
        LimitResponse: {
          Type: limited.limitResponse?.type ?? "",
          Queuing: printedQueuing(limited.limitResponse?.queuing),
        },
        LendablePercent: limited.lendablePercent ?? null,
        BorrowingLimitPercent: limited.borrowingLimitPercent ?? null,
      }
    : null,
  Exempt: exempt
    ? {
        NominalConcurrencyShares: exempt.nominalConcurrencyShares ?? null,
        LendablePercent: exempt.lendablePercent ?? null,
      }
    : null,
});

const printedQueuing = (queuing: DeepReadonly<QueuingConfiguration> | undefined): unknown =>
  queuing
    ? { Queues: queuing.queues ?? 0, HandSize: queuing.handSize ?? 0, QueueLengthLimit: queuing.queueLengthLimit ?? 0 }
    : null;
