import type { DeepReadonly } from "@coxswain/api";
import type { ServicePort } from "@coxswain/api/core/v1";
import { append } from "@coxswain/apimachinery/append";
import {
  duplicate,
  type FieldError,
  type FieldPath,
  fieldPath,
  forbidden,
  invalid,
  required,
} from "@coxswain/apimachinery/field";
import { getOwn } from "@coxswain/apimachinery/own";
import {
  checkPortNumber,
  nameIsDns1035Label,
  nameIsDnsLabel,
  validateIpForLegacyField,
  validateLabels,
} from "@coxswain/apimachinery/validation";
import { checkEndpointIp } from "../../checks/endpoint-ip.js";
import { checkDnsLabelAt, checkDnsSubdomainAt, checkOneOf, checkQualifiedNameAt } from "../../checks/field-errors.js";
import { checkObjectMeta, checkObjectMetaUpdate } from "../../checks/object-meta.js";
import { checkPortNumberOrName } from "../../checks/port.js";
import type { StrategyContext } from "../../definition/strategy.js";
import { deprecatedTopologyHints, topologyMode } from "./annotations.js";
import { checkClusterIps, checkClusterIpsUpdate, checkFamiliesUpdate } from "./cluster-ips-validation.js";
import { isHeadless, needsHealthCheck } from "./exposure.js";
import { checkLoadBalancer, checkLoadBalancerClass, checkLoadBalancerStatus } from "./load-balancer-validation.js";
import type { StoredService } from "./stored.js";
import { checkTrafficPolicies } from "./traffic-policy-validation.js";

type ReadService = DeepReadonly<StoredService>;

const specPath = fieldPath("spec");
const portsPath = specPath.child("ports");
const longestAffinity = 86_400;

export function checkService(service: ReadService, { gates }: StrategyContext): FieldError[] {
  const checkName = gates.enabled("RelaxedServiceNameValidation") ? nameIsDnsLabel : nameIsDns1035Label;
  return [...checkObjectMeta(service.metadata, { namespaced: true, checkName }), ...checkAlways(service, undefined)];
}

export function checkServiceUpdate(next: ReadService, old: ReadService): FieldError[] {
  const errors = [
    ...checkObjectMetaUpdate(next.metadata, old.metadata),
    ...checkClusterIpsUpdate(next, old),
    ...checkFamiliesUpdate(next, old),
    ...checkLoadBalancerClass(next, old),
  ];
  if (
    needsHealthCheck(old) &&
    needsHealthCheck(next) &&
    next.spec.healthCheckNodePort !== old.spec.healthCheckNodePort
  ) {
    errors.push(forbidden(specPath.child("healthCheckNodePort"), "field is immutable"));
  }
  return [...errors, ...checkAlways(next, old)];
}

export const checkServiceStatus = (next: ReadService, old: ReadService): FieldError[] => [
  ...checkObjectMetaUpdate(next.metadata, old.metadata),
  ...checkLoadBalancerStatus(next, old),
];

function checkAlways(service: ReadService, old: ReadService | undefined): FieldError[] {
  const { spec } = service;
  const ports = spec.ports ?? [];
  const errors = checkTopologyAnnotations(service);
  if (ports.length === 0 && !isHeadless(service) && spec.type !== "ExternalName") errors.push(required(portsPath));
  append(errors, [
    ...checkType(service),
    ...checkPorts(ports),
    ...validateLabels(spec.selector, specPath.child("selector")),
  ]);
  append(errors, [...checkAffinity(service), ...checkClusterIps(service, old), ...checkExternalIps(service, old)]);
  append(
    errors,
    checkOneOf(spec.type ?? "", ["ClusterIP", "ExternalName", "LoadBalancer", "NodePort"], specPath.child("type")),
  );
  append(errors, [...checkNodePorts(service), ...checkPortsDiffer(ports)]);
  return [...errors, ...checkLoadBalancer(service, old), ...checkTrafficPolicies(service)];
}

function checkTopologyAnnotations({ metadata: { annotations } }: ReadService): FieldError[] {
  const [mode, hints] = [getOwn(annotations, topologyMode), getOwn(annotations, deprecatedTopologyHints)];
  if (mode === undefined || hints === undefined || mode === hints) return [];
  return [
    invalid(
      fieldPath("metadata", "annotations").key(topologyMode),
      mode,
      `must match annotations[${deprecatedTopologyHints}] when both are specified`,
    ),
  ];
}

function checkType(service: ReadService): FieldError[] {
  const { type, clusterIPs = [], ipFamilies = [], ipFamilyPolicy, externalName = "" } = service.spec;
  if (type === "LoadBalancer" || type === "NodePort") {
    return isHeadless(service)
      ? [invalid(specPath.child("clusterIPs").index(0), "None", `may not be set to 'None' for ${type} services`)]
      : [];
  }
  if (type !== "ExternalName") return [];
  const why = "may not be set for ExternalName services";
  const name = externalName.endsWith(".") ? externalName.slice(0, -1) : externalName;
  return [
    ...(clusterIPs.length > 0 ? [forbidden(specPath.child("clusterIPs"), why)] : []),
    ...(ipFamilies.length > 0 ? [forbidden(specPath.child("ipFamilies"), why)] : []),
    ...(ipFamilyPolicy === undefined ? [] : [forbidden(specPath.child("ipFamilyPolicy"), why)]),
    ...(name === ""
      ? [required(specPath.child("externalName"))]
      : checkDnsSubdomainAt(name, specPath.child("externalName"))),
  ];
}

function checkPorts(ports: readonly DeepReadonly<ServicePort>[]): FieldError[] {
  const names = new Set<string>();
  return ports.flatMap(({ name = "", port, protocol = "", targetPort = 0, appProtocol }, at) => {
    const path = portsPath.index(at);
    const errors: FieldError[] = [];
    if (name !== "") {
      append(errors, checkDnsLabelAt(name, path.child("name")));
      if (names.has(name)) errors.push(duplicate(path.child("name"), name));
      names.add(name);
    } else if (ports.length > 1) errors.push(required(path.child("name")));
    append(
      errors,
      checkPortNumber(port).map((problem) => invalid(path.child("port"), port, problem)),
    );
    append(errors, [
      ...checkOneOf(protocol, ["SCTP", "TCP", "UDP"], path.child("protocol")),
      ...checkPortNumberOrName(targetPort, path.child("targetPort")),
    ]);
    if (appProtocol !== undefined) append(errors, checkQualifiedNameAt(appProtocol, path.child("appProtocol")));
    return errors;
  });
}

function checkAffinity({ spec: { sessionAffinity, sessionAffinityConfig: config } }: ReadService): FieldError[] {
  const path = specPath.child("sessionAffinityConfig");
  if (sessionAffinity === "None")
    return config ? [forbidden(path, "must not be set when session affinity is None")] : [];
  if (sessionAffinity !== "ClientIP")
    return [...checkOneOf(sessionAffinity ?? "", ["ClientIP", "None"], specPath.child("sessionAffinity"))];
  return checkTimeout(config?.clientIP?.timeoutSeconds, path.child("clientIP", "timeoutSeconds"));
}

function checkTimeout(seconds: number | undefined, path: FieldPath): FieldError[] {
  if (seconds === undefined) return [required(path, "when session affinity type is ClientIP")];
  return seconds > 0 && seconds <= longestAffinity
    ? []
    : [invalid(path, seconds, `must be greater than 0 and less than ${longestAffinity}`)];
}

const checkExternalIps = ({ spec: { externalIPs = [] } }: ReadService, old: ReadService | undefined): FieldError[] =>
  externalIPs.flatMap((ip, at) => {
    const path = specPath.child("externalIPs").index(at);
    const errors = validateIpForLegacyField(ip, path, { validOld: old?.spec.externalIPs ?? [] });
    return errors.length > 0 ? errors : checkEndpointIp(ip, path);
  });

function checkNodePorts({ spec: { type, ports = [] } }: ReadService): FieldError[] {
  const seen = new Set<string>();
  const errors =
    type === "ClusterIP"
      ? ports.flatMap(({ nodePort = 0 }, at) =>
          nodePort === 0
            ? []
            : [forbidden(portsPath.index(at).child("nodePort"), "may not be used when `type` is 'ClusterIP'")],
        )
      : [];
  for (const [at, { nodePort = 0, protocol = "" }] of ports.entries()) {
    if (nodePort === 0) continue;
    const key = `${protocol}/${nodePort}`;
    if (seen.has(key)) errors.push(duplicate(portsPath.index(at).child("nodePort"), nodePort));
    seen.add(key);
  }
  return errors;
}

function checkPortsDiffer(ports: readonly DeepReadonly<ServicePort>[]): FieldError[] {
  const seen = new Set<string>();
  return ports.flatMap(({ port, protocol = "" }, at) => {
    const key = `${protocol}/${port}`;
    const isRepeated = seen.has(key);
    seen.add(key);
    return isRepeated
      ? [
          duplicate(portsPath.index(at), {
            Name: "",
            Protocol: protocol,
            AppProtocol: null,
            Port: port,
            TargetPort: 0,
            NodePort: 0,
          }),
        ]
      : [];
  });
}
