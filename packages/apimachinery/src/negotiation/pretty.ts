const truths = new Set(["1", "t", "T", "TRUE", "true", "True"]);

/** Whether a person is likely to read the answer: by `?pretty=true`, else by the client's User-Agent. */
export function isPrettyRequest(request: {
  readonly pretty?: string | undefined;
  readonly userAgent?: string | undefined;
}): boolean {
  if (request.pretty !== undefined && request.pretty !== "") return truths.has(request.pretty);
  return /^(curl|Wget|Mozilla\/5\.0)/.test(request.userAgent ?? "");
}
