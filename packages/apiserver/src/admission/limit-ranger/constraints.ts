import { getOwn } from "@coxswain/apimachinery/own";
import { parseQuantity, type Quantity } from "@coxswain/apimachinery/quantity";

/** Amounts by the name of the resource. */
export type Amounts = Readonly<Record<string, string>> | undefined;

/** What is asked for, and what may be used at most. */
export interface Resources {
  readonly requests: Amounts;
  readonly limits: Amounts;
}

/** One rule for one resource; the answer is why it does not hold. */
export type Constraint = (type: string, resource: string, enforced: string, resources: Resources) => string | undefined;

const amount = (amounts: Amounts, resource: string): Quantity | undefined => {
  const text = getOwn(amounts, resource);
  return text === undefined ? undefined : parseQuantity(text);
};

export const atLeast: Constraint = (type, resource, enforced, { requests, limits }) => {
  const [least, request, limit] = [parseQuantity(enforced), amount(requests, resource), amount(limits, resource)];
  const rule = `minimum ${resource} usage per ${type} is ${enforced}`;
  if (!request) return `${rule}.  No request is specified`;
  if (request.compare(least) < 0) return `${rule}, but request is ${request.toString()}`;
  return limit && limit.compare(least) < 0 ? `${rule}, but limit is ${limit.toString()}` : undefined;
};

export const atMost: Constraint = (type, resource, enforced, { requests, limits }) => {
  const [most, request, limit] = [parseQuantity(enforced), amount(requests, resource), amount(limits, resource)];
  const rule = `maximum ${resource} usage per ${type} is ${enforced}`;
  if (!limit) return `${rule}.  No limit is specified`;
  if (limit.compare(most) > 0) return `${rule}, but limit is ${limit.toString()}`;
  return request && request.compare(most) > 0 ? `${rule}, but request is ${request.toString()}` : undefined;
};

/** For what has requests only: claims. */
export const requestAtMost: Constraint = (type, resource, enforced, { requests }) => {
  const request = amount(requests, resource);
  const rule = `maximum ${resource} usage per ${type} is ${enforced}`;
  if (!request) return `${rule}.  No request is specified`;
  return request.compare(parseQuantity(enforced)) > 0 ? `${rule}, but request is ${request.toString()}` : undefined;
};

export const ratioAtMost: Constraint = (type, resource, enforced, { requests, limits }) => {
  const [request, limit] = [amount(requests, resource), amount(limits, resource)];
  const rule = `${resource} max limit to request ratio per ${type} is ${enforced}`;
  if (!request || request.isZero) return `${rule}, but no request is specified or request is 0`;
  if (!limit || limit.isZero) return `${rule}, but no limit is specified or limit is 0`;
  const ratio = limit.toNumber() / request.toNumber();
  return ratio > parseQuantity(enforced).toNumber() ? `${rule}, but provided ratio is ${ratio.toFixed(6)}` : undefined;
};
