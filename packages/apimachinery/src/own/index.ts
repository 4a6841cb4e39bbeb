/**
 * Members named by users: label keys, ConfigMap keys, resource names. `__proto__` and `constructor` are legal there,
 * so they are never read through the prototype chain and never written by plain assignment.
 */
declare const userMap: unique symbol;

/** A JSON object whose members are named by a user. It has no index signature: go through `getOwn` and `setOwn`. */
export interface UserMap<T> {
  readonly [userMap]?: T;
}

const hasOwn = Object.prototype.hasOwnProperty;

/** The own member `key`, or undefined. */
export function getOwn<T>(map: UserMap<T> | Readonly<Record<string, T>> | undefined, key: string): T | undefined {
  return map !== undefined && hasOwn.call(map, key) ? (map as Record<string, T>)[key] : undefined;
}

/** Sets an own member, whatever its name; a plain assignment of `__proto__` would change the prototype instead. */
export function setOwn<T>(map: UserMap<T> | Record<string, T>, key: string, value: T): void {
  if (key === "__proto__") {
    Object.defineProperty(map, key, { value, writable: true, enumerable: true, configurable: true });
  } else {
    (map as Record<string, T>)[key] = value;
  }
}

export function deleteOwn(map: UserMap<unknown> | Record<string, unknown>, key: string): void {
  delete (map as Record<string, unknown>)[key];
}

export function ownKeys(map: UserMap<unknown> | Readonly<Record<string, unknown>> | undefined): string[] {
  return map === undefined ? [] : Object.keys(map);
}

export function ownEntries<T>(map: UserMap<T> | Readonly<Record<string, T>> | undefined): [string, T][] {
  return map === undefined ? [] : Object.entries(map as Record<string, T>);
}
