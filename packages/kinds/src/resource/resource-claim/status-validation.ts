import type { DeepReadonly } from "@coxswain/api";
import type {
  AllocatedDeviceStatus,
  AllocationResult,
  DeviceRequestAllocationResult,
  NetworkDeviceData,
  ResourceClaimConsumerReference,
} from "@coxswain/api/resource/v1";
import {
  type FieldError,
  type FieldPath,
  fieldPath,
  forbidden,
  invalid,
  namedText,
  tooLong,
  tooMany,
  Verbatim,
} from "@coxswain/apimachinery/field";
import { equalJson } from "@coxswain/apimachinery/json";
import { utf8Length, validateConditions, validateInterfaceAddress } from "@coxswain/apimachinery/validation";
import { checkPresent, checkRequiredOneOf } from "../../checks/field-errors.js";
import { checkImmutable } from "../../checks/immutable.js";
import { checkObjectMetaUpdate } from "../../checks/object-meta.js";
import type { StrategyContext } from "../../definition/strategy.js";
import { internalValue } from "../../internal-form/internal-form.js";
import { checkNodeSelector } from "../../pod-spec/scheduling/node-affinity.js";
import { checkBindingConditions } from "../binding-conditions.js";
import { checkBoundedList, checkBoundedSet, itself } from "../bounded-list.js";
import { checkAdminAccessGranted } from "../device-claim/admin-access.js";
import { checkConfiguration, mostConfigurations } from "../device-claim/configuration.js";
import {
  checkRequestReference,
  checkRequestReferences,
  type RequestNames,
  requestNamesOf,
} from "../device-claim/request-names.js";
import { checkDeviceName, checkDriverName, checkPoolName, checkShareId } from "../names.js";
import { checkRawObject } from "../raw-object.js";
import { sharedDevice, sharedDevicesOf } from "./allocated-devices.js";
import type { StoredResourceClaim } from "./stored.js";

type Claim = DeepReadonly<StoredResourceClaim>;
type Consumer = DeepReadonly<ResourceClaimConsumerReference>;

const path = fieldPath("status");
const mostConsumers = 256;
const mostResults = 32;
const mostConditions = 8;
const mostAddresses = 16;
const longestInterfaceName = 256;
const longestHardwareAddress = 128;

/** Who may write which part of a status is the server's business. */
export function checkResourceClaimStatus(next: Claim, old: Claim, context: StrategyContext): FieldError[] {
  const { allocation, reservedFor, devices } = next.status;
  const allocated = sharedDevicesOf(allocation);
  return [
    ...checkAdminAccessGranted(
      allocation?.devices?.results,
      old.status.allocation?.devices?.results,
      next.metadata.namespace,
      context,
    ),
    ...checkObjectMetaUpdate(next.metadata, old.metadata),
    ...checkBoundedSet(reservedFor, path.child("reservedFor"), {
      most: mostConsumers,
      checkItem: checkConsumer,
      keyOf: ({ uid }) => uid,
      shown: namedText,
    }),
    ...checkBoundedSet(devices, path.child("devices"), {
      most: Number.POSITIVE_INFINITY,
      checkItem: (device, at) => checkDeviceStatus(device, at, allocated),
      keyOf: sharedDevice,
      shown: (key) => new Verbatim(key),
    }),
    ...checkReservations(next, old),
    ...checkAllocation(next, old),
  ];
}

const checkConsumer = ({ resource, name, uid }: Consumer, at: FieldPath): FieldError[] => [
  ...checkPresent(resource, at, "resource"),
  ...checkPresent(name, at, "name"),
  ...checkPresent(uid, at, "uid"),
];

function checkReservations({ metadata, status }: Claim, old: Claim): FieldError[] {
  const { reservedFor = [], allocation } = status;
  if (reservedFor.length === 0) return [];
  if (!allocation) return [forbidden(path.child("reservedFor"), "may not be specified when `allocated` is not set")];
  const isNew = (consumer: Consumer): boolean => !old.status.reservedFor?.some((one) => equalJson(one, consumer));
  return metadata.deletionTimestamp !== undefined && reservedFor.some(isNew)
    ? [
        forbidden(
          path.child("reservedFor"),
          "new entries may not be added while `deallocationRequested` or `deletionTimestamp` are set",
        ),
      ]
    : [];
}

/** What was allocated stays as it is, and is not validated again: rules for new allocations are stricter than they were. */
function checkAllocation(
  { spec, status: { allocation } }: Claim,
  { status: { allocation: old } }: Claim,
): FieldError[] {
  const here = path.child("allocation");
  if (!allocation) return [];
  if (old) return checkImmutable(allocation, old, here, internalValue("AllocationResult", allocation));
  return checkNewAllocation(allocation, here, requestNamesOf(spec.devices));
}

function checkNewAllocation(
  { devices = {}, nodeSelector }: DeepReadonly<AllocationResult>,
  here: FieldPath,
  names: RequestNames,
): FieldError[] {
  const at = here.child("devices");
  return [
    ...checkBoundedList(devices.results, mostResults, at.child("results"), (result, one) =>
      checkResult(result, one, names),
    ),
    ...checkBoundedList(devices.config, 2 * mostConfigurations, at.child("config"), (config, one) => [
      ...checkRequiredOneOf(config.source, ["FromClaim", "FromClass"], one.child("source")),
      ...checkRequestReferences(config.requests, one.child("requests"), names),
      ...checkConfiguration(config, one),
    ]),
    ...(nodeSelector ? checkNodeSelector(nodeSelector, here.child("nodeSelector"), { invalidValues: false }) : []),
  ];
}

const checkResult = (
  result: DeepReadonly<DeviceRequestAllocationResult>,
  at: FieldPath,
  names: RequestNames,
): FieldError[] => [
  ...checkRequestReference(result.request, at.child("request"), names),
  ...checkDriverName(result.driver, at.child("driver")),
  ...checkPoolName(result.pool, at.child("pool")),
  ...checkDeviceName(result.device, at.child("device")),
  ...checkBindingConditions(result, at),
  ...checkShareId(result.shareID, at.child("shareID")),
];

function checkDeviceStatus(
  device: DeepReadonly<AllocatedDeviceStatus>,
  at: FieldPath,
  allocated: ReadonlySet<string>,
): FieldError[] {
  const { data, networkData } = device;
  // It is null where there are none.
  const conditions = device.conditions ?? [];
  const here = at.child("conditions");
  return [
    ...checkDriverName(device.driver, at.child("driver")),
    ...checkPoolName(device.pool, at.child("pool")),
    ...checkDeviceName(device.device, at.child("device")),
    ...checkShareId(device.shareID, at.child("shareID")),
    ...(allocated.has(sharedDevice(device))
      ? []
      : [invalid(at, new Verbatim(sharedDevice(device)), "must be an allocated device in the claim")]),
    ...(conditions.length > mostConditions ? [tooMany(here, conditions.length, mostConditions)] : []),
    ...validateConditions(conditions, here),
    ...(data === undefined || data === null ? [] : checkRawObject(data, at.child("data"), false)),
    ...(networkData ? checkNetworkData(networkData, at.child("networkData")) : []),
  ];
}

function checkNetworkData(
  { interfaceName = "", hardwareAddress = "", ips }: DeepReadonly<NetworkDeviceData>,
  at: FieldPath,
): FieldError[] {
  return [
    ...(utf8Length(interfaceName) > longestInterfaceName
      ? [tooLong(at.child("interfaceName"), longestInterfaceName)]
      : []),
    ...(utf8Length(hardwareAddress) > longestHardwareAddress
      ? [tooLong(at.child("hardwareAddress"), longestHardwareAddress)]
      : []),
    ...checkBoundedSet(ips, at.child("ips"), {
      most: mostAddresses,
      checkItem: validateInterfaceAddress,
      keyOf: itself,
    }),
  ];
}
