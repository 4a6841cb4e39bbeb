import { badRequest } from "@coxswain/apimachinery/status";

/** A request's query, read as upstream's parameter codec reads it (k8s.io/apimachinery/pkg/runtime/codec.go, DecodeParameters). */
export interface Query {
  text(name: string): string;
  all(name: string): string[];
  has(name: string): boolean;
  /** Everything but "false" and "0" is true. */
  flag(name: string): boolean | undefined;
  /** Throws 400 for what is not a whole number of 64 bits; one that is not safe is about right. */
  integer(name: string): number | undefined;
}

export function createQuery(raw: string): Query {
  if (raw === "") return emptyQuery;
  const values = new URLSearchParams(oddPair.test(raw) ? withoutOddPairs(raw) : raw);
  const text = (name: string): string => values.get(name) ?? "";
  return {
    text,
    all: (name) => values.getAll(name),
    has: (name) => values.has(name),
    flag: (name) => (values.has(name) ? !["false", "0"].includes(text(name).toLowerCase()) : undefined),
    integer(name) {
      if (!values.has(name)) return undefined;
      const value = text(name);
      if (!/^[+-]?\d+$/.test(value))
        throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(value)}: invalid syntax`);
      const number = Number(value);
      if (!Number.isSafeInteger(number) && BigInt.asIntN(64, BigInt(value)) !== BigInt(value))
        throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(value)}: value out of range`);
      return number;
    },
  };
}

/** Go leaves out a parameter with a semicolon or a broken escape, and takes the others. */
const oddPair = /;|%(?![0-9a-f]{2})/i;
const withoutOddPairs = (raw: string): string =>
  raw
    .split("&")
    .filter((pair) => !oddPair.test(pair))
    .join("&");

const emptyQuery: Query = {
  text: () => "",
  all: () => [],
  has: () => false,
  flag: () => undefined,
  integer: () => undefined,
};
