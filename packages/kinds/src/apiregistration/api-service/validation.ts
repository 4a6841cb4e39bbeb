import type { DeepReadonly } from "@coxswain/api";
import { append } from "@coxswain/apimachinery/append";
import {
  type FieldError,
  fieldPath,
  invalid,
  namedText,
  notSupported,
  quoteGo,
  required,
} from "@coxswain/apimachinery/field";
import {
  checkDns1035Label,
  checkDnsSubdomain,
  checkPathSegmentName,
  checkPortNumber,
  type NameCheck,
} from "@coxswain/apimachinery/validation";
import { base64Length } from "../../checks/base64-length.js";
import { checkPresent, problemsAt } from "../../checks/field-errors.js";
import { checkPlainMeta, checkPlainMetaUpdate } from "../../checks/object-meta.js";
import type { StoredApiService } from "./stored.js";

type Service = DeepReadonly<StoredApiService>;

const specPath = fieldPath("spec");

/** Its name is that of the group and version it registers. */
function nameCheck({ spec: { group = "", version = "" } }: Service): NameCheck {
  const wanted = `${version}.${group}`;
  return (name) => {
    const problems = checkPathSegmentName(name);
    return problems.length > 0 || name === wanted
      ? problems
      : [`must be \`spec.version+"."+spec.group\`: ${quoteGo(wanted)}`];
  };
}

export function checkApiService(service: Service): FieldError[] {
  const { group = "", version = "", groupPriorityMinimum, versionPriority } = service.spec;
  const errors = checkPlainMeta(service.metadata, { namespaced: false, checkName: nameCheck(service) });
  if (group === "" && version !== "v1")
    errors.push(required(specPath.child("group"), "only v1 may have an empty group and it better be legacy kube"));
  if (group !== "") append(errors, problemsAt(specPath.child("group"), group, checkDnsSubdomain(group)));
  append(errors, problemsAt(specPath.child("version"), version, checkDns1035Label(version)));
  if (groupPriorityMinimum <= 0 || groupPriorityMinimum > 20_000)
    errors.push(
      invalid(specPath.child("groupPriorityMinimum"), groupPriorityMinimum, "must be positive and less than 20000"),
    );
  if (versionPriority <= 0 || versionPriority > 1000)
    errors.push(invalid(specPath.child("versionPriority"), versionPriority, "must be positive and less than 1000"));
  return [...errors, ...(service.spec.service ? checkRemote(service) : checkLocal(service))];
}

function checkLocal({ spec: { caBundle = "", insecureSkipTLSVerify: insecure = false } }: Service): FieldError[] {
  return [
    ...(caBundle === ""
      ? []
      : [
          invalid(
            specPath.child("caBundle"),
            `${base64Length(caBundle)} bytes`,
            "local APIServices may not have a caBundle",
          ),
        ]),
    ...(insecure
      ? [
          invalid(
            specPath.child("insecureSkipTLSVerify"),
            insecure,
            "local APIServices may not have insecureSkipTLSVerify",
          ),
        ]
      : []),
  ];
}

function checkRemote({
  spec: { service, caBundle = "", insecureSkipTLSVerify: insecure = false },
}: Service): FieldError[] {
  const { namespace, name, port = 0 } = service ?? {};
  const path = specPath.child("service");
  const problems = checkPortNumber(port);
  return [
    ...checkPresent(namespace, path, "namespace"),
    ...checkPresent(name, path, "name"),
    ...(problems.length === 0 ? [] : [invalid(path.child("port"), port, `port is not valid: ${problems.join(", ")}`)]),
    ...(insecure && caBundle !== ""
      ? [invalid(specPath.child("insecureSkipTLSVerify"), insecure, "may not be true if caBundle is present")]
      : []),
  ];
}

export const checkApiServiceUpdate = (next: Service, old: Service): FieldError[] => [
  ...checkPlainMetaUpdate(next.metadata, old.metadata),
  ...checkApiService(next),
];

const truths = ["True", "False", "Unknown"];

export const checkApiServiceStatus = (next: Service, old: Service): FieldError[] => [
  ...checkPlainMetaUpdate(next.metadata, old.metadata),
  ...(next.status.conditions ?? []).flatMap(({ status }, at) =>
    truths.includes(status)
      ? []
      : [notSupported(fieldPath("status", "conditions").index(at).child("status"), namedText(status), truths)],
  ),
];
