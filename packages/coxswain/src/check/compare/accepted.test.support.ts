/** A difference that stays, with its reason; docs/check.md names it, too. Patterns are of what is reported, as JSON. */
export interface AcceptedDifference {
  readonly want: RegExp;
  readonly got: RegExp;
  readonly reason: string;
}

export const accepted: readonly AcceptedDifference[] = [
  {
    want: /^/,
    got: /"is defined before, at /,
    reason: "An object that is there twice is a warning; a dry run knows nothing of the first one.",
  },
  {
    want: /^/,
    got: /"resourceVersion should not be set on objects to be created"/,
    reason: "kubectl apply is refused so; a dry run lets it pass.",
  },
  {
    want: /is not in the valid range\. The range of valid IPs is/,
    got: /the provided network does not match the current range/,
    reason:
      "A create refuses an address of no range in other words than a dry run, which names the range of that server.",
  },
  {
    want: /"warnings":\["(tls: private key|x509:|asn1:)/,
    got: /"warnings":\[\]/,
    reason: "Whether the certificate and the key of a secret for TLS belong together is not looked at.",
  },
];
