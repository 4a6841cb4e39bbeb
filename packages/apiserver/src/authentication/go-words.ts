import { goJsonKind } from "@coxswain/apimachinery/text";

/** The error of Go's decoder for a value that should have been a text. */
export const notText = (value: unknown): string =>
  `json: cannot unmarshal ${goJsonKind(value)} into Go value of type string`;

/** A time as Go prints it, in UTC; undefined: Go's zero. */
export function goTime(ms: number | undefined): string {
  if (ms === undefined) return "0001-01-01 00:00:00 +0000 UTC";
  const [day = "", time = ""] = new Date(ms).toISOString().split("T");
  return `${day} ${time.replace("Z", "").replace(/\.?0+$/, "")} +0000 UTC`;
}
