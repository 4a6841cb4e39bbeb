import type { DeepReadonly } from "@coxswain/api";
import type { IPBlock, NetworkPolicyPeer, NetworkPolicyPort } from "@coxswain/api/networking/v1";
import { append } from "@coxswain/apimachinery/append";
import {
  type FieldError,
  type FieldPath,
  fieldPath,
  forbidden,
  invalid,
  namedText,
  notSupported,
  required,
} from "@coxswain/apimachinery/field";
import {
  checkPortName,
  checkPortNumber,
  type IpNetwork,
  maskedAddress,
  parseCidr,
  sameAddress,
  validateCidrForLegacyField,
  validateLabelSelector,
} from "@coxswain/apimachinery/validation";
import { problemsAt } from "../../checks/field-errors.js";
import { checkObjectMeta, checkObjectMetaUpdate } from "../../checks/object-meta.js";
import { ipBlocks } from "./ip-blocks.js";
import type { StoredNetworkPolicy } from "./stored.js";

type Policy = DeepReadonly<StoredNetworkPolicy>;

const specPath = fieldPath("spec");
const directions = ["Ingress", "Egress"];

/** What the stored policy may keep. */
interface Leniency {
  readonly allowInvalidValues: boolean;
  readonly validOld: readonly string[];
}

export const checkNetworkPolicy = (policy: Policy): FieldError[] => [
  ...checkObjectMeta(policy.metadata, { namespaced: true }),
  ...checkSpec(policy, { allowInvalidValues: false, validOld: [] }),
];

export function checkNetworkPolicyUpdate(next: Policy, old: Policy): FieldError[] {
  const lenient = {
    allowInvalidValues: validateLabelSelector(old.spec.podSelector, undefined).length > 0,
    validOld: ipBlocks(old).flatMap(({ block: { cidr, except = [] } }) => [cidr, ...except]),
  };
  return [...checkObjectMetaUpdate(next.metadata, old.metadata), ...checkSpec(next, lenient)];
}

function checkSpec({ spec }: Policy, lenient: Leniency): FieldError[] {
  const { podSelector, ingress = [], egress = [], policyTypes = [] } = spec;
  const errors = validateLabelSelector(podSelector, specPath.child("podSelector"), lenient);
  for (const [at, { ports = [], from = [] }] of ingress.entries()) {
    const path = specPath.child("ingress").index(at);
    append(errors, [
      ...ports.flatMap((port, i) => checkPort(port, path.child("ports").index(i))),
      ...from.flatMap((peer, i) => checkPeer(peer, path.child("from").index(i), lenient)),
    ]);
  }
  for (const [at, { ports = [], to = [] }] of egress.entries()) {
    const path = specPath.child("egress").index(at);
    append(errors, [
      ...ports.flatMap((port, i) => checkPort(port, path.child("ports").index(i))),
      ...to.flatMap((peer, i) => checkPeer(peer, path.child("to").index(i), lenient)),
    ]);
  }
  const path = specPath.child("policyTypes");
  if (policyTypes.length > directions.length)
    return [...errors, invalid(path, policyTypes, "may not specify more than two policyTypes")];
  return [
    ...errors,
    ...policyTypes.flatMap((type, at) =>
      directions.includes(type) ? [] : [notSupported(path.index(at), namedText(type), directions)],
    ),
  ];
}

function checkPort({ protocol, port, endPort }: DeepReadonly<NetworkPolicyPort>, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  if (protocol !== undefined && !["TCP", "UDP", "SCTP"].includes(protocol))
    errors.push(notSupported(path.child("protocol"), namedText(protocol), ["TCP", "UDP", "SCTP"]));
  const endPath = path.child("endPort");
  if (port === undefined)
    return endPort === undefined
      ? errors
      : [...errors, invalid(endPath, endPort, "may not be specified when `port` is not specified")];
  if (typeof port === "string") {
    if (endPort !== undefined)
      errors.push(invalid(endPath, endPort, "may not be specified when `port` is non-numeric"));
    return [...errors, ...problemsAt(path.child("port"), port, checkPortName(port))];
  }
  append(errors, problemsAt(path.child("port"), port, checkPortNumber(port)));
  if (endPort === undefined) return errors;
  // Upstream shows the port, not its end.
  if (endPort < port) errors.push(invalid(endPath, port, "must be greater than or equal to `port`"));
  return [...errors, ...problemsAt(endPath, endPort, checkPortNumber(endPort))];
}

function checkPeer(
  { podSelector, namespaceSelector, ipBlock }: DeepReadonly<NetworkPolicyPeer>,
  path: FieldPath,
  lenient: Leniency,
): FieldError[] {
  const errors = [
    ...validateLabelSelector(podSelector, path.child("podSelector"), lenient),
    ...validateLabelSelector(namespaceSelector, path.child("namespaceSelector"), lenient),
    ...(ipBlock ? checkIpBlock(ipBlock, path.child("ipBlock"), lenient) : []),
  ];
  if (!podSelector && !namespaceSelector && !ipBlock) errors.push(required(path, "must specify a peer"));
  else if (ipBlock && (podSelector || namespaceSelector))
    errors.push(forbidden(path, "may not specify both ipBlock and another peer"));
  return errors;
}

function checkIpBlock(
  { cidr, except = [] }: DeepReadonly<IPBlock>,
  path: FieldPath,
  { validOld }: Leniency,
): FieldError[] {
  if (cidr === "") return [required(path.child("cidr"))];
  const errors = validateCidrForLegacyField(cidr, path.child("cidr"), { validOld });
  const network = parseCidr(cidr);
  if (!network) return errors;
  for (const [at, text] of except.entries()) {
    const here = path.child("except").index(at);
    append(errors, validateCidrForLegacyField(text, here, { validOld }));
    const inner = parseCidr(text);
    if (inner && !isStrictlyInside(inner, network))
      errors.push(invalid(here, text, "must be a strict subset of `cidr`"));
  }
  return errors;
}

function isStrictlyInside(inner: IpNetwork, outer: IpNetwork): boolean {
  const { address } = inner;
  if (inner.prefixLength <= outer.prefixLength || address.isV4 !== outer.address.isV4) return false;
  return sameAddress(maskedAddress({ ...inner, prefixLength: outer.prefixLength }), maskedAddress(outer));
}
