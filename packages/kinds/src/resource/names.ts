import { type FieldError, type FieldPath, invalid, namedText, required, tooLong } from "@coxswain/apimachinery/field";
import { checkCIdentifier, checkDnsSubdomain, utf8Length } from "@coxswain/apimachinery/validation";
import { checkDnsLabelAt, checkDnsSubdomainAt, problemsAt } from "../checks/field-errors.js";
import { checkCsiDriverName } from "../pod-spec/volumes/csi.js";
import { uuidProblem } from "./uuid.js";

const longestPoolName = 253;
const longestIdentifier = 32;

/** Drivers of devices have the same names as those of volumes. */
export const checkDriverName = checkCsiDriverName;

export const checkDeviceName = checkDnsLabelAt;

/** Labels of a domain in parts, "a.b/c.d". */
export function checkPoolName(name: string | undefined, path: FieldPath): FieldError[] {
  if (!name) return [required(path)];
  const errors = utf8Length(name) > longestPoolName ? [tooLong(path, longestPoolName)] : [];
  return [...errors, ...name.split("/").flatMap((part) => problemsAt(path, part, checkDnsSubdomain(part)))];
}

export const checkDeviceClassName = (name: string | undefined, path: FieldPath): readonly FieldError[] =>
  name ? checkDnsSubdomainAt(name, path) : [required(path)];

export function checkShareId(id: string | undefined, path: FieldPath): FieldError[] {
  if (id === undefined) return [];
  const problem = uuidProblem(id);
  if (problem !== undefined) return [invalid(path, id, `error validating uid: ${problem}`)];
  if (id.length === 36 && id === id.toLowerCase()) return [];
  return [
    invalid(
      path,
      id,
      "uid must be in RFC 4122 normalized form, `xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx` with lowercase hexadecimal characters",
    ),
  ];
}

/** `name` or `driver.example.com/name`. Names with more slashes are not looked at, as upstream does (pkg/apis/resource/validation/validation.go, validateQualifiedName). */
export function checkQualifiedName(name: string, path: FieldPath): FieldError[] {
  const [first = "", second, ...more] = name.split("/");
  if (second === undefined) return checkIdentifier(first, path);
  if (more.length > 0) return [];
  return [
    ...(first === "" ? [invalid(path, "", "the domain must not be empty")] : checkDriverName(first, path)),
    ...(second === "" ? [invalid(path, "", "the name must not be empty")] : checkIdentifier(second, path)),
  ];
}

export function checkFullyQualifiedName(name: string, path: FieldPath): FieldError[] {
  const errors = checkQualifiedName(name, path);
  return name.includes("/")
    ? errors
    : [
        ...errors,
        invalid(path, namedText(name), "a fully qualified name must be a domain and a name separated by a slash"),
      ];
}

function checkIdentifier(id: string, path: FieldPath): FieldError[] {
  const errors = utf8Length(id) > longestIdentifier ? [tooLong(path, longestIdentifier)] : [];
  return [...errors, ...problemsAt(path, id, checkCIdentifier(id))];
}
