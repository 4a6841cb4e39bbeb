import { describe, expect, it } from "vitest";
import { DialError, DialTimeout } from "./dial-error.js";
import { type Location, trustingTls } from "./location.js";

const location: Location = {
  scheme: "https",
  hostname: "10.0.0.9",
  port: "10250",
  path: "/",
  query: "",
  tls: trustingTls,
};
const failed = (code: string, more: object = {}): Error =>
  Object.assign(new Error("message of node"), { code, ...more });
const valid = (subjectaltname: string): Error => failed("ERR_TLS_CERT_ALTNAME_INVALID", { cert: { subjectaltname } });
const unverified = "tls: failed to verify certificate: x509: ";

const cases: { name: string; cause: unknown; host?: string; want: string }[] = [
  {
    name: "nobody listens",
    cause: failed("ECONNREFUSED", { syscall: "connect" }),
    want: "dial tcp 10.0.0.9:10250: connect: connection refused",
  },
  { name: "no way there", cause: failed("EHOSTUNREACH"), want: "dial tcp 10.0.0.9:10250: connect: no route to host" },
  { name: "the connection took too long", cause: new DialTimeout(), want: "dial tcp 10.0.0.9:10250: i/o timeout" },
  { name: "a name that nobody has", cause: failed("ENOTFOUND"), host: "n1", want: "dial tcp: lookup n1: no such host" },
  {
    name: "no answer about a name",
    cause: failed("EAI_AGAIN"),
    host: "n1",
    want: "dial tcp: lookup n1: temporary failure in name resolution",
  },
  {
    name: "a code of connecting while writing",
    cause: failed("ETIMEDOUT", { syscall: "write" }),
    want: "message of node",
  },
  {
    name: "a certificate that nobody known has signed",
    cause: failed("DEPTH_ZERO_SELF_SIGNED_CERT"),
    want: `${unverified}certificate signed by unknown authority`,
  },
  {
    name: "a certificate that is too old",
    cause: failed("CERT_HAS_EXPIRED"),
    want: `${unverified}certificate has expired or is not yet valid`,
  },
  {
    name: "a certificate for other addresses",
    cause: valid("DNS:n1, IP Address:10.0.0.1, IP Address:10.0.0.2"),
    want: `${unverified}certificate is valid for 10.0.0.1, 10.0.0.2, not 10.0.0.9`,
  },
  {
    name: "a certificate for names alone",
    cause: valid("DNS:n1"),
    want: `${unverified}cannot validate certificate for 10.0.0.9 because it doesn't contain any IP SANs`,
  },
  {
    name: "a certificate for other names",
    cause: valid("DNS:n2, DNS:n3"),
    host: "n1",
    want: `${unverified}certificate is valid for n2, n3, not n1`,
  },
  {
    name: "a certificate for nothing",
    cause: valid(""),
    host: "n1",
    want: `${unverified}certificate is not valid for any names, but wanted to match n1`,
  },
  {
    name: "gone before it answered",
    cause: Object.assign(new Error("socket hang up"), { code: "ECONNRESET" }),
    want: "EOF",
  },
  { name: "cut by the other side", cause: failed("ECONNRESET"), want: "connection reset by peer" },
  { name: "something else", cause: failed("EPROTO"), want: "message of node" },
  { name: "no error at all", cause: "gone", want: "gone" },
];

describe("another server that cannot be reached", () => {
  for (const { name, cause, host = "10.0.0.9", want } of cases)
    it(name, () =>
      expect(new DialError({ ...location, hostname: host }, cause)).toMatchObject({ message: want, cause }),
    );
});
