import type { DeepReadonly } from "@coxswain/api";
import type { TypedLocalObjectReference } from "@coxswain/api/core/v1";
import type {
  HTTPIngressPath,
  IngressBackend,
  IngressRule,
  IngressServiceBackend,
  IngressTLS,
} from "@coxswain/api/networking/v1";
import { append } from "@coxswain/apimachinery/append";
import {
  type FieldError,
  type FieldPath,
  fieldPath,
  invalid,
  namedText,
  notSupported,
  required,
} from "@coxswain/apimachinery/field";
import { asGiven } from "@coxswain/apimachinery/json";
import { getOwn } from "@coxswain/apimachinery/own";
import {
  checkDnsSubdomain,
  checkPathSegmentName,
  checkPortName,
  checkPortNumber,
  checkWildcardDnsSubdomain,
  type NameCheck,
  nameIsDns1035Label,
  nameIsDnsLabel,
  nameIsDnsSubdomain,
  parseIp,
  validateIpForLegacyField,
} from "@coxswain/apimachinery/validation";
import { problemsAt } from "../../checks/field-errors.js";
import { checkObjectMeta, checkObjectMetaUpdate } from "../../checks/object-meta.js";
import type { StrategyContext } from "../../definition/strategy.js";
import type { StoredIngress } from "./stored.js";

type ReadIngress = DeepReadonly<StoredIngress>;

export const classAnnotation = "kubernetes.io/ingress.class";

const specPath = fieldPath("spec");

/** What a stored ingress may keep though it would be refused today. */
interface Leniency {
  readonly secretNames?: boolean;
  readonly wildcardRules?: boolean;
  readonly checkServiceName: NameCheck;
}

export function checkIngress(ingress: ReadIngress, { gates }: StrategyContext): FieldError[] {
  const { metadata, spec } = ingress;
  const errors = checkAlways(ingress, {
    checkServiceName: gates.enabled("RelaxedServiceNameValidation") ? nameIsDnsLabel : nameIsDns1035Label,
  });
  const annotated = getOwn(metadata.annotations, classAnnotation);
  if (annotated !== undefined && spec.ingressClassName !== undefined && annotated !== spec.ingressClassName) {
    errors.push(
      invalid(
        fieldPath("annotations", classAnnotation),
        annotated,
        "must match `ingressClassName` when both are specified",
      ),
    );
  }
  return errors;
}

export function checkIngressUpdate(next: ReadIngress, old: ReadIngress, { gates }: StrategyContext): FieldError[] {
  const strict: Leniency = { checkServiceName: nameIsDns1035Label };
  const rules = old.spec.rules ?? [];
  const lenient: Leniency = {
    secretNames: (old.spec.tls ?? []).some(({ secretName = "" }) => checkSecretName(secretName).length > 0),
    wildcardRules: rules.some((rule) => rule.host?.includes("*") && checkRuleValue(rule, specPath, strict).length > 0),
    checkServiceName:
      gates.enabled("RelaxedServiceNameValidation") ||
      serviceNames(old).some((name) => nameIsDnsLabel(name).length === 0 && nameIsDns1035Label(name).length > 0)
        ? nameIsDnsLabel
        : nameIsDns1035Label,
  };
  return [...checkObjectMetaUpdate(next.metadata, old.metadata), ...checkAlways(next, lenient)];
}

const serviceNames = ({ spec }: ReadIngress): string[] =>
  [
    spec.defaultBackend,
    ...(spec.rules ?? []).flatMap(({ http }) => (http?.paths ?? []).map(({ backend }) => backend)),
  ].flatMap((backend) => (backend?.service ? [backend.service.name] : []));

const checkSecretName = (name: string): string[] => (name === "" ? [] : nameIsDnsSubdomain(name));

function checkAlways({ metadata, spec }: ReadIngress, lenient: Leniency): FieldError[] {
  const { rules = [], defaultBackend, tls = [], ingressClassName } = spec;
  const errors = checkObjectMeta(metadata, { namespaced: true });
  if (rules.length === 0 && !defaultBackend)
    errors.push(invalid(specPath, asGiven(spec, "rules", []), "either `defaultBackend` or `rules` must be specified"));
  if (defaultBackend) append(errors, checkBackend(defaultBackend, specPath.child("defaultBackend"), lenient));
  append(
    errors,
    rules.flatMap((rule, at) => checkRule(rule, specPath.child("rules").index(at), lenient)),
  );
  append(
    errors,
    tls.flatMap((one, at) => checkTls(one, specPath.child("tls").index(at), lenient)),
  );
  if (ingressClassName !== undefined)
    append(
      errors,
      problemsAt(specPath.child("ingressClassName"), ingressClassName, nameIsDnsSubdomain(ingressClassName)),
    );
  return errors;
}

const hostProblems = (host: string): string[] =>
  host.includes("*") ? checkWildcardDnsSubdomain(host) : checkDnsSubdomain(host);

function checkTls(
  { hosts = [], secretName = "" }: DeepReadonly<IngressTLS>,
  path: FieldPath,
  lenient: Leniency,
): FieldError[] {
  return [
    ...hosts.flatMap((host, at) => problemsAt(path.child("hosts").index(at), host, hostProblems(host))),
    ...(lenient.secretNames ? [] : problemsAt(path.child("secretName"), secretName, checkSecretName(secretName))),
  ];
}

function checkRule(rule: DeepReadonly<IngressRule>, path: FieldPath, lenient: Leniency): FieldError[] {
  const { host = "" } = rule;
  const errors: FieldError[] = [];
  if (host !== "") {
    if (parseIp(host)) errors.push(invalid(path.child("host"), host, "must be a DNS name, not an IP address"));
    append(errors, problemsAt(path.child("host"), host, hostProblems(host)));
  }
  return host.includes("*") && lenient.wildcardRules ? errors : [...errors, ...checkRuleValue(rule, path, lenient)];
}

function checkRuleValue({ http }: DeepReadonly<IngressRule>, path: FieldPath, lenient: Leniency): FieldError[] {
  if (!http) return [];
  const at = path.child("http", "paths");
  const paths = http.paths ?? [];
  return paths.length === 0 ? [required(at)] : paths.flatMap((one, i) => checkHttpPath(one, at.index(i), lenient));
}

function checkHttpPath(
  { path: text = "", pathType, backend }: DeepReadonly<HTTPIngressPath>,
  path: FieldPath,
  lenient: Leniency,
): FieldError[] {
  // There is no default, and so a member that is not there is null.
  const type: string | null | undefined = pathType;
  if (type === undefined || type === null) return [required(path.child("pathType"), "pathType must be specified")];
  return [...checkPathText(text, type, path), ...checkBackend(backend, path.child("backend"), lenient)];
}

function checkPathText(text: string, type: string, path: FieldPath): FieldError[] {
  const at = path.child("path");
  const relative = (): FieldError[] => (text.startsWith("/") ? [] : [invalid(at, text, "must be an absolute path")]);
  switch (type) {
    case "Exact":
    case "Prefix":
      return [
        ...relative(),
        ...["//", "/./", "/../", "%2f", "%2F"]
          .filter((part) => text.includes(part))
          .map((part) => invalid(at, text, `must not contain '${part}'`)),
        ...["/..", "/."]
          .filter((end) => text.endsWith(end))
          .map((end) => invalid(at, text, `cannot end with '${end}'`)),
      ];
    case "ImplementationSpecific":
      return text === "" ? [] : relative();
    default:
      return [notSupported(path.child("pathType"), namedText(type), ["Exact", "ImplementationSpecific", "Prefix"])];
  }
}

function checkBackend(
  { resource, service }: DeepReadonly<IngressBackend>,
  path: FieldPath,
  lenient: Leniency,
): FieldError[] {
  if (resource && service) return [invalid(path, "", "cannot set both resource and service backends")];
  if (resource) return checkReference(resource, path.child("resource"));
  if (service) return checkService(service, path, lenient);
  return [invalid(path, "", "resource or service backend is required")];
}

function checkService(
  { name, port = {} }: DeepReadonly<IngressServiceBackend>,
  path: FieldPath,
  { checkServiceName }: Leniency,
): FieldError[] {
  const errors =
    name === ""
      ? [required(path.child("service", "name"))]
      : [...problemsAt(path.child("service", "name"), name, checkServiceName(name))];
  const { name: portName = "", number = 0 } = port;
  const at = path.child("service", "port");
  if (portName !== "" && number !== 0) errors.push(invalid(path, "", "cannot set both port name & port number"));
  else if (portName !== "") append(errors, problemsAt(at.child("name"), portName, checkPortName(portName)));
  else if (number !== 0) append(errors, problemsAt(at.child("number"), number, checkPortNumber(number)));
  else errors.push(required(path, "port name or number is required"));
  return errors;
}

function checkReference(
  { apiGroup, kind, name }: DeepReadonly<TypedLocalObjectReference>,
  path: FieldPath,
): FieldError[] {
  const group: string | null | undefined = apiGroup;
  return [
    ...(group === undefined || group === null
      ? []
      : problemsAt(path.child("apiGroup"), group, checkDnsSubdomain(group))),
    ...checkSegment(kind, path.child("kind")),
    ...checkSegment(name, path.child("name")),
  ];
}

/** A name that stands in a URL, and must be there. */
export const checkSegment = (text: string, path: FieldPath): readonly FieldError[] =>
  text === "" ? [required(path)] : problemsAt(path, text, checkPathSegmentName(text));

export function checkIngressStatus(next: ReadIngress, old: ReadIngress): FieldError[] {
  const validOld = (old.status.loadBalancer?.ingress ?? []).flatMap(({ ip }) => (ip ? [ip] : []));
  const path = fieldPath("status", "loadBalancer", "ingress");
  const ingress = next.status.loadBalancer?.ingress ?? [];
  return [
    ...checkObjectMetaUpdate(next.metadata, old.metadata),
    ...ingress.flatMap(({ ip = "", hostname = "" }, at) => [
      ...(ip === "" ? [] : validateIpForLegacyField(ip, path.index(at).child("ip"), { validOld })),
      ...(hostname === "" ? [] : problemsAt(path.index(at).child("hostname"), hostname, checkDnsSubdomain(hostname))),
      ...(parseIp(hostname)
        ? [invalid(path.index(at).child("hostname"), hostname, "must be a DNS name, not an IP address")]
        : []),
    ]),
  ];
}
