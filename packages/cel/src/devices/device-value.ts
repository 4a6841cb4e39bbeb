import { jsonToValue } from "../kubernetes/json-value.js";
import { toQuantity } from "../kubernetes/quantity.js";
import { toSemver } from "../kubernetes/semver.js";
import { ArrayList } from "../values/list-value.js";
import { EntriesMap } from "../values/map-value.js";
import { CelError, type Value } from "../values/value.js";

/** What a selector sees of a device: of its ResourceSlice the driver, of the device itself the rest. */
export interface SelectableDevice {
  /** The domain of attributes and capacities that do not name one. */
  readonly driver: string;
  readonly allowMultipleAllocations?: boolean | undefined;
  /** By qualified name, `domain/id` or `id`. */
  readonly attributes?: Readonly<Record<string, AttributeOfDevice>> | undefined;
  readonly capacity?: Readonly<Record<string, { readonly value: string }>> | undefined;
}

/** One of these is set. */
export interface AttributeOfDevice {
  readonly int?: number | bigint;
  readonly bool?: boolean;
  readonly string?: string;
  readonly version?: string;
  readonly ints?: readonly (number | bigint)[];
  readonly bools?: readonly boolean[];
  readonly strings?: readonly string[];
  readonly versions?: readonly string[];
}

/** Domains that a device does not have are there, and empty: only `in` shows it. */
class DomainsMap extends EntriesMap {
  override find(key: Value): Value {
    return super.find(key) ?? nothing;
  }
  override has(key: Value): boolean {
    return super.find(key) !== undefined;
  }
}

const nothing = new EntriesMap();

/** The value of `device`, or what is wrong with it, in upstream's words. */
export function deviceToValue(device: SelectableDevice, listAttributes: boolean): EntriesMap | string {
  const attributes: [string, Value][] = [];
  for (const [name, attribute] of Object.entries(device.attributes ?? {})) {
    const value = attributeToValue(attribute, listAttributes);
    if (value instanceof CelError) return `attribute ${name}: ${value.message}`;
    attributes.push([name, value]);
  }
  const capacity = Object.entries(device.capacity ?? {}).map(([name, { value }]) => [name, toQuantity(value)] as const);
  return new EntriesMap([
    ["driver", device.driver],
    ["allowMultipleAllocations", device.allowMultipleAllocations ?? false],
    ["attributes", byDomain(attributes, device.driver)],
    ["capacity", byDomain(capacity, device.driver)],
  ]);
}

function byDomain(entries: readonly (readonly [string, Value])[], driver: string): DomainsMap {
  const domains = new Map<string, EntriesMap>();
  for (const [name, value] of entries) {
    const slash = name.indexOf("/");
    const domain = slash < 0 ? driver : name.slice(0, slash);
    let members = domains.get(domain);
    if (!members) domains.set(domain, (members = new EntriesMap()));
    members.insert(name.slice(slash + 1), value);
  }
  return new DomainsMap(domains);
}

function attributeToValue(attribute: AttributeOfDevice, listAttributes: boolean): Value {
  const { int, bool, string, version, ints, bools, strings, versions } = attribute;
  if (listAttributes) {
    const plain = ints ?? bools ?? strings;
    if (plain) return jsonToValue(plain);
    if (versions) {
      const values = versions.map(readVersion);
      return values.find((value) => value instanceof CelError) ?? new ArrayList(values);
    }
  }
  return (
    int ??
    bool ??
    string ??
    (version === undefined ? new CelError("unsupported attribute value") : readVersion(version))
  );
}

function readVersion(text: string): Value {
  const version = toSemver(text);
  return version instanceof CelError ? new CelError(`parse semantic version: ${version.message}`) : version;
}
