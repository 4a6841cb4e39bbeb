import { utf8Length } from "../text/utf8-order.js";
import { emptyMessage, type Problems, rangeMessage, regexMessage } from "./messages.js";

export const checkInRange = (value: number, low: number, high: number): Problems =>
  value >= low && value <= high ? [] : [rangeMessage(low, high)];

export const checkPortNumber = (port: number): Problems => checkInRange(port, 1, 65_535);

export const checkUserId = (id: number): Problems => checkInRange(id, 0, 2 ** 31 - 1);
export const checkGroupId = (id: number): Problems => checkInRange(id, 0, 2 ** 31 - 1);

/** The name of a port: at most 15 letters, digits and single hyphens, a letter among them. */
export function checkPortName(port: string): Problems {
  const problems: Problems = [];
  if (utf8Length(port) > 15) problems.push("must be no more than 15 characters");
  if (!/^[-a-z0-9]+$/.test(port))
    problems.push("must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)");
  if (!/[a-z]/.test(port)) problems.push("must contain at least one letter (a-z)");
  if (port.includes("--")) problems.push("must not contain consecutive hyphens");
  if (port.startsWith("-") || port.endsWith("-")) problems.push("must not begin or end with a hyphen");
  return problems;
}

const percent = "[0-9]+%";
const percentPattern = new RegExp(`^${percent}$`);

export const checkPercent = (text: string): Problems =>
  percentPattern.test(text)
    ? []
    : [regexMessage("a valid percent string must be a numeric string followed by an ending '%'", percent, "1%", "93%")];

/** An integer as people write it: no sign but minus, no leading zero. */
export function checkDecimalInteger(text: string): Problems {
  if (text === "") return [emptyMessage];
  return /^(0|-?[1-9][0-9]*)$/.test(text) ? [] : ["must be a valid decimal integer in canonical form"];
}
