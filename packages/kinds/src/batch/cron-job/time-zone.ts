import { isTimeZone } from "@coxswain/apimachinery/cron";
import { type FieldError, type FieldPath, invalid } from "@coxswain/apimachinery/field";

const part = /^[A-Za-z.\-_0-9+]{1,14}$/;

/** A name of the time zone database. None at all is the server's own zone. */
export function checkTimeZone(zone: string | undefined, path: FieldPath): FieldError[] {
  if (zone === undefined) return [];
  if (zone === "") return [invalid(path, zone, "timeZone must be nil or non-empty string")];
  if (zone.split("/").some((one) => one === "." || one === ".." || one.startsWith("-") || !part.test(one)))
    return [invalid(path, zone, `unknown time zone ${zone}`)];
  const isLocal = zone.toLowerCase() === "local";
  const errors = isLocal
    ? [invalid(path, zone, "timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones")]
    : [];
  return zone === "Local" || isTimeZone(zone) ? errors : [...errors, invalid(path, zone, `unknown time zone ${zone}`)];
}
