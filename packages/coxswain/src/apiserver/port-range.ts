/** `30000-32767`; also `30000+100`, a port and how many follow it. Throws for anything else. */
export function parsePortRange(text: string): { first: number; last: number } {
  const found = /^(\d+)(?:([-+])(\d+))?$/.exec(text.trim());
  const first = Number(found?.[1]);
  const last = found?.[2] === undefined ? first : found[2] === "-" ? Number(found[3]) : first + Number(found[3]);
  if (!found || last < first || last > 65_535)
    throw new Error(`--service-node-port-range: ${text} is no range of ports, as 30000-32767 is one`);
  return { first, last };
}
