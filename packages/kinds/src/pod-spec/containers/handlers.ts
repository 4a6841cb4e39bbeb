import type { DeepReadonly } from "@coxswain/api";
import type { ExecAction, HTTPGetAction, LifecycleHandler, ProbeHandler } from "@coxswain/api/core/v1";
import { append } from "@coxswain/apimachinery/append";
import { type FieldError, type FieldPath, forbidden, invalid, required } from "@coxswain/apimachinery/field";
import { checkHttpHeaderName, checkPortName, checkPortNumber } from "@coxswain/apimachinery/validation";
import { checkOneOf, checkPresent, problemsAt } from "../../checks/field-errors.js";

/** What a probe or a hook does. Probes do not sleep, and hooks do not call gRPC: the types have no such member. */
export type Handler = DeepReadonly<ProbeHandler & LifecycleHandler>;

export function checkHandler(handler: Handler, path: FieldPath, gracePeriod: number | undefined): FieldError[] {
  const { exec, httpGet, tcpSocket, grpc, sleep } = handler;
  const checks: (readonly [name: string, check: (path: FieldPath) => readonly FieldError[]])[] = [];
  if (exec) checks.push(["exec", (at) => checkExec(exec, at)]);
  if (httpGet) checks.push(["httpGet", (at) => checkHttpGet(httpGet, at)]);
  if (tcpSocket) checks.push(["tcpSocket", (at) => checkPort(tcpSocket.port, at.child("port"))]);
  if (grpc) checks.push(["grpc", (at) => checkPort(grpc.port, at.child("port"))]);
  if (sleep) checks.push(["sleep", (at) => checkSleep(sleep.seconds, at, gracePeriod)]);
  const [first, ...others] = checks;
  if (first === undefined) return [required(path, "must specify a handler type")];
  return [
    ...first[1](path.child(first[0])),
    ...others.map(([name]) => forbidden(path.child(name), "may not specify more than 1 handler type")),
  ];
}

const checkExec = ({ command }: DeepReadonly<ExecAction>, path: FieldPath): FieldError[] =>
  command?.length ? [] : [required(path.child("command"))];

function checkHttpGet(
  { path: target, port, scheme, httpHeaders }: DeepReadonly<HTTPGetAction>,
  path: FieldPath,
): FieldError[] {
  const errors = [
    ...checkPresent(target, path, "path"),
    ...checkPort(port, path.child("port")),
    ...checkOneOf(scheme ?? "", ["HTTP", "HTTPS"], path.child("scheme")),
  ];
  for (const { name } of httpHeaders ?? [])
    append(errors, problemsAt(path.child("httpHeaders"), name, checkHttpHeaderName(name)));
  return errors;
}

/** A number, or the name of one of the container's ports. */
const checkPort = (port: number | string, path: FieldPath): readonly FieldError[] =>
  problemsAt(path, port, typeof port === "string" ? checkPortName(port) : checkPortNumber(port));

/** A pod without a grace period has an error of its own for that. */
function checkSleep(seconds: number, path: FieldPath, gracePeriod: number | undefined): FieldError[] {
  if (gracePeriod === undefined || (seconds >= 0 && seconds <= gracePeriod)) return [];
  return [invalid(path, seconds, `must be non-negative and less than terminationGracePeriodSeconds (${gracePeriod})`)];
}
