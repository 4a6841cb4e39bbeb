import type { CsiDriver } from "./csi-driver.js";

/** The drivers that are registered on this node, by name. */
export class CsiDrivers {
  readonly #drivers = new Map<string, CsiDriver>();
  readonly #onChange: () => void;

  /** @param onChange pods that wait for a driver are to be synced */
  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  /** @throws Error in upstream's words */
  get(name: string): CsiDriver {
    const driver = this.#drivers.get(name);
    if (driver) return driver;
    throw new Error(`driver name ${name} not found in the list of registered CSI drivers`);
  }

  find(name: string): CsiDriver | undefined {
    return this.#drivers.get(name);
  }

  async add(driver: CsiDriver): Promise<void> {
    const before = this.#drivers.get(driver.name);
    this.#drivers.set(driver.name, driver);
    this.#onChange();
    await before?.close();
  }

  async remove(driver: CsiDriver): Promise<void> {
    if (this.#drivers.get(driver.name) === driver) this.#drivers.delete(driver.name);
    await driver.close();
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#drivers.values()].map((driver) => driver.close()));
    this.#drivers.clear();
  }
}
