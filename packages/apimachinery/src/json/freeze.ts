/**
 * Makes a function that freezes a value with everything in it, or one that does nothing.
 * Shared objects are never changed; tests prove it by switching this on (`COXSWAIN_DEEP_FREEZE`), production pays nothing.
 */
export function createDeepFreeze(on: boolean): <T>(value: T) => T {
  return on ? deepFreeze : (value) => value;
}

export function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const key in value) deepFreeze(value[key]);
  }
  return value;
}
