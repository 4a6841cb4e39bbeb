import { fieldPath, invalid as invalidField } from "@coxswain/apimachinery/field";
import { internalError, invalid } from "@coxswain/apimachinery/status";
import { type AddressPool, AddressRefusal } from "./address-pool.js";
import { keepsPreference } from "./ip-families.js";
import { formatAddress, parseAddress } from "./ip-range.js";
import { type IpFamily, isExternalName, isHeadless, type StoredService } from "./service.js";

type Chooser = Pick<AddressPool, "check" | "next">;

/** The addresses that change hands with a write, by the names of their IPAddresses. */
export interface AddressChange {
  readonly taken: readonly string[];
  readonly released: readonly string[];
}

const nothing: AddressChange = { taken: [], released: [] };

/** Pure but for chance: gives a service its addresses, in place. Its families are settled. Throws 422, or 500 when there are none left. */
export function giveAddresses(service: StoredService, old: StoredService | undefined, pool: Chooser): AddressChange {
  if (!old) return giveAll(service, pool);
  const { spec } = service;
  if (keepsPreference(spec, old.spec)) return nothing;
  if (isExternalName(old.spec) && !isExternalName(spec)) return giveAll(service, pool);
  if (isHeadless(old.spec)) return nothing;
  if (!isExternalName(old.spec) && isExternalName(spec)) return { taken: [], released: addressesOf(old) };
  const [before, after] = [old.spec.ipFamilies?.length ?? 0, spec.ipFamilies?.length ?? 0];
  if (before === 1 && after === 2) return { taken: [give(service, 1, pool)], released: [] };
  if (before === 2 && after === 1) return { taken: [], released: addressesOf(old).slice(1) };
  return nothing;
}

/** What goes back when the service is gone. */
export const addressesOf = ({ spec }: StoredService): string[] =>
  isExternalName(spec) || isHeadless(spec) ? [] : (spec.clusterIPs ?? []).map(nameOf);

function giveAll(service: StoredService, pool: Chooser): AddressChange {
  const { spec } = service;
  if (isExternalName(spec) || isHeadless(spec)) return nothing;
  const taken = (spec.ipFamilies ?? []).map((_, i) => give(service, i, pool));
  const [first] = spec.clusterIPs ?? [];
  if (first !== undefined) spec.clusterIP = first;
  return { taken, released: [] };
}

/** The address of one family: the one that was asked for, or any. */
function give({ spec, metadata }: StoredService, i: number, pool: Chooser): string {
  const ips = (spec.clusterIPs ??= []);
  const wanted = ips[i] ?? "";
  const refuse = (why: string): Error =>
    invalid({ group: "", kind: "Service" }, metadata.name ?? "", [
      invalidField(fieldPath("spec", "clusterIPs"), shownIps(ips, i), why),
    ]);
  try {
    if (wanted === "") ips[i] = pool.next(spec.ipFamilies?.[i] as IpFamily);
    else {
      const address = parseAddress(wanted);
      if (!address) throw internalError(`failed to parse service IP "${wanted}"`);
      pool.check(address);
    }
  } catch (err) {
    if (!(err instanceof AddressRefusal)) throw err;
    if (wanted !== "") throw refuse(`failed to allocate IP ${wanted}: ${err.message}`);
    if (err.full)
      throw internalError(`failed to allocate a serviceIP for Service "${metadata.name ?? ""}": ${err.message}`);
    throw refuse(`failed to allocate IP: ${err.message}`);
  }
  return nameOf(ips[i] as string);
}

/** Families without an address yet are shown as empty ones. */
const shownIps = (ips: readonly string[], i: number): string[] =>
  Array.from({ length: Math.max(ips.length, i + 1) }, (_, at) => ips[at] ?? "");

function nameOf(ip: string): string {
  const address = parseAddress(ip);
  return address ? formatAddress(address) : ip;
}
