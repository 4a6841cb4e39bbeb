export { describeKeyValueStore } from "./describe-key-value-store.js";
export type { OpenedStore, StoreUnderTest } from "./store-under-test.js";
export { createTestClock, type TestClock } from "./test-clock.js";
